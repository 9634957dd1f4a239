// The program's output over a fake device with constant times: its tables, and the remaining time.

#include "bench/output/tables.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

Outcome measure(const std::string& arguments, int status = 0) {
  return run_to(status, "--samples=2 --scope=kernel " + arguments);
}

/// Returns the lines below a title, up to the next empty line; the whole output if there is no such
/// title.
std::string below(const Outcome& outcome, const std::string& title) {
  const auto start = outcome.text.find("\n" + title + "\n");
  if (start == std::string::npos) return "no '" + title + "' in:\n" + outcome.text;
  const auto from = start + title.size() + 2;
  return "\n" + outcome.text.substr(from, outcome.text.find("\n\n", from) - from + 1);
}

const std::string sums = "float sum, exact data, cold, kernel scope";

TEST(Table, HasARowForEachRungSizeAndTuning) {
  const auto outcome = measure("--rungs=r11,r12,lib --block=64,128 --sizes=2^18,2^20");
  EXPECT_EQ(below(outcome, sums), R"(
  ceiling 83.31 GB/s (n = 2^20, fake:0: fast sweep)
backend  rung                 n  tuning        time   GB/s  % peak  % ceiling  step       checked
fake     r11_grid_stride   2^18  b64 g128  22.17 µs  47.29    47.3       60.2             2/2
fake     r11_grid_stride   2^18  b128 g64  18.48 µs  56.75    56.8       72.2             2/2
fake     r11_grid_stride   2^20  b64 g128  85.09 µs  49.29    49.3       59.2             2/2
fake     r11_grid_stride   2^20  b128 g64  70.91 µs  59.15    59.2       71.0             2/2
fake     r12_warp_shuffle  2^18  b64 g128  20.56 µs  51.00    51.0       64.9  1.08x r11  2/2
fake     r12_warp_shuffle  2^18  b128 g64  17.13 µs  61.21    61.2       77.8  1.08x r11  2/2
fake     r12_warp_shuffle  2^20  b64 g128  78.63 µs  53.34    53.3       64.0  1.08x r11  2/2
fake     r12_warp_shuffle  2^20  b128 g64  65.53 µs  64.01    64.0       76.8  1.08x r11  2/2
fake     library_fake      2^18            14.11 µs  74.33    74.3       94.5             2/2
fake     library_fake      2^20            53.43 µs  78.50    78.5       94.2             2/2
)");
}

TEST(Table, IsOneForEachProblem) {
  const auto outcome = measure("--rungs=r02 --ops=sum,min --cache=both --sizes=2^10");
  const auto title = [](const std::string& problem, const std::string& cache) {
    return problem + ", exact data, " + cache + ", kernel scope, n = 2^10 (4 KiB)";
  };
  for (const auto* cache : {"cold", "hot"}) {
    EXPECT_EQ(below(outcome, title("float sum", cache)), R"(
  ceiling 3.908 GB/s (fake:0: fast sweep)
backend  rung                       tuning      time   GB/s  % peak  % ceiling  checked
fake     r02_interleaved_divergent  b256    1.410 µs  2.906    2.91       74.4  2/2
)");
    EXPECT_EQ(below(outcome, title("float min", cache)), R"(
  ceiling 3.908 GB/s (fake:0: fast sweep)
backend  rung                       tuning      time   GB/s  % peak  % ceiling  checked
fake     r02_interleaved_divergent  b256    1.410 µs  2.906    2.91       74.4  2/2
)");
  }
}

TEST(Table, HasAWrongResultInItsRowAndNamesItBelow) {
  const auto outcome = measure("--rungs=wrong_at_64 --block=64,128 --sizes=2^16", 1);
  EXPECT_EQ(below(outcome, sums + ", n = 2^16 (256 KiB)"), R"(
  ceiling 64.19 GB/s (fake:0: fast sweep)
backend  rung         tuning      time   GB/s  % peak       % ceiling  checked
fake     wrong_at_64  b64                                              WRONG 2/2
fake     wrong_at_64  b128    3.759 µs  69.73    69.7  sweep too weak  2/2
)");
  expect_says(outcome, "\nERROR reduce/fake/wrong_at_64/f32/sum/n:65536/block:64/");
}

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

TEST_F(Program, ShowsOnlyWhatTheTerminalHasRoomFor) {
  const auto outcome = run_on_terminal(30, {"--rungs=r02", "--sizes=2^10", "--samples=2"});
  const auto line = outcome.text.find("pilot: reduce/");
  ASSERT_NE(line, std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find('\r', line) - line, 29U);
}

TEST(Columns, CountCharactersNotBytes) { EXPECT_EQ(width("12 µs"), 5U); }

TEST(Built, WhatIsNotOptimizedIsPrintedWithItsFlags) {
  const std::array facts{BuildFact{"cxx", "flags", "-O3"}, BuildFact{"cuda", "compiler", "nvcc"},
                         BuildFact{"cuda", "flags", "-O0 --Ofast-compile=mid"},
                         BuildFact{"cuda", "optimized", "no"}};
  EXPECT_EQ(unoptimized_text(facts),
            "Not optimized: what was compiled as cuda (-O0 --Ofast-compile=mid). Its times say "
            "nothing of the rungs.\n");
}

TEST(Built, ThisOneIsNotOptimizedWhereItIsForDebuggingOrSanitized) {
  std::string_view flags;
  for (const auto& fact : build_info().facts)
    if (fact.group == "cxx" && fact.name == "flags") flags = fact.value;
  const bool slow = build_info().build_type == "Debug" || flags.find("-fsanitize") != flags.npos ||
                    flags.find("-O0") != flags.npos;
  const bool said = unoptimized_text().find("compiled as cxx") != std::string::npos;
  EXPECT_EQ(said, slow) << flags;
}

}  // namespace
}  // namespace ladder::bench
