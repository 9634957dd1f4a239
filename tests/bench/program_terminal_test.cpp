// What the program shows on a terminal: how long it still takes, and what has room there.

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "bench/output/columns.hpp"
#include "program.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, SaysHowMuchTimeIsLeft) {
  setenv("FAKE_SAMPLE_MS", "70", 1);
  const auto outcome = run_on_terminal(
      120, {"--rungs=r02", "--sizes=2^10", "--samples=40", "--scope=kernel", "--no-ceilings"});
  unsetenv("FAKE_SAMPLE_MS");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  const std::regex left("([0-9]+) s left");
  std::vector<int> all;
  const auto begin = std::sregex_iterator(outcome.text.begin(), outcome.text.end(), left);
  for (auto at = begin; at != std::sregex_iterator(); ++at) all.push_back(std::stoi((*at)[1]));
  ASSERT_GT(all.size(), 5U) << outcome.text;
  EXPECT_GE(std::ranges::max(all), 2) << outcome.text;
  EXPECT_EQ(all.back(), 1) << outcome.text;
  EXPECT_EQ(std::ranges::min(all), 1) << outcome.text;
  expect_says(outcome, " %, ");
}

TEST_F(Program, LeavesTheLastColumnFreeOfProgress) {
  const auto text = run_on_terminal(40, {"--rungs=r02", "--sizes=2^10", "--scope=kernel"}).text;
  std::size_t longest = 0;
  const std::string begin = "\r\x1b[K";  // behind the last of them is the table
  for (auto at = text.find(begin); at != std::string::npos;) {
    at += begin.size();
    const auto next = text.find(begin, at);
    if (next != std::string::npos) longest = std::max(longest, next - at);
    at = next;
  }
  EXPECT_EQ(longest, 39U) << text;
}

/// The longest of the lines that stand in columns.
std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  bool table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with("\r")) line.pop_back();
    table = line.starts_with("backend ") || (table && line.starts_with("fake "));
    if (table) most = std::max(most, width(line));
  }
  return most;
}

TEST_F(Program, KeepsTheTableToTheTerminal) {
  const std::vector<std::string> selection{"--rungs=r02..r15,lib", "--sizes=2^16", "--samples=2",
                                           "--scope=kernel"};
  const auto narrow = run_on_terminal(80, selection);
  EXPECT_EQ(narrow.status, 0);
  EXPECT_GT(widest(narrow.text), 60U) << narrow.text;
  EXPECT_LE(widest(narrow.text), 80U) << narrow.text;
  expect_says(narrow, "(no room for: total, step; --wide has all");
  const auto wide = run_on_terminal(200, selection);
  expect_says(wide, "r04_sequential_addressing");
  EXPECT_EQ(wide.text.find("no room for"), std::string::npos) << wide.text;
  auto asked = selection;
  asked.emplace_back("--wide");
  EXPECT_EQ(widest(run_on_terminal(80, asked).text), widest(wide.text));
  setenv("COLUMNS", "80", 1);
  EXPECT_LE(widest(run_on_terminal(0, selection).text), 80U) << "a terminal that does not say";
  unsetenv("COLUMNS");
  const std::string piped = "--rungs=r02..r15,lib --sizes=2^16 --samples=2 --scope=kernel";
  EXPECT_LE(widest(run(piped, "COLUMNS=80").text), 80U);
  EXPECT_EQ(widest(run(piped).text), widest(wide.text));
}

}  // namespace
}  // namespace ladder::bench
