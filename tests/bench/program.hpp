#pragma once

// The program over fake devices, started from a test.

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folder.hpp"

namespace ladder::bench {

using PlainJson = nlohmann::json;
namespace fs = std::filesystem;

struct Outcome {
  int status;
  std::string text;
};

/// What the program printed, both streams, and its exit status. It lies beside this test.
inline Outcome run(const std::string& arguments, const std::string& environment = "") {
  const auto program = fs::read_symlink("/proc/self/exe").parent_path() / "ladder_on_fakes";
  std::string command = environment + " '";
  command.append(program.string()).append("' ").append(arguments).append(" 2>&1");
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  Outcome outcome{0, ""};
  std::array<char, 4096> chunk;
  for (std::size_t got; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
    outcome.text.append(chunk.data(), got);
  outcome.status = WEXITSTATUS(pclose(pipe));
  return outcome;
}

/// The same where it has to end with this status.
inline Outcome run_to(int status, const std::string& arguments,
                      const std::string& environment = "") {
  Outcome outcome = run(arguments, environment);
  EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.text;
  return outcome;
}

/// The same on a terminal so many columns wide, and everything that it showed.
inline Outcome run_on_terminal(unsigned short columns, const std::vector<std::string>& arguments) {
  const auto program =
      (fs::read_symlink("/proc/self/exe").parent_path() / "ladder_on_fakes").string();
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 25;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<char*> all{const_cast<char*>(program.c_str())};
    for (const auto& argument : arguments) all.push_back(const_cast<char*>(argument.c_str()));
    all.push_back(nullptr);
    execv(program.c_str(), all.data());
    _exit(127);
  }
  Outcome outcome{-1, ""};
  if (child < 0) return outcome;
  std::array<char, 4096> chunk;
  for (ssize_t got; (got = read(terminal, chunk.data(), chunk.size())) > 0;)
    outcome.text.append(chunk.data(), static_cast<std::size_t>(got));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  outcome.status = WEXITSTATUS(status);
  return outcome;
}

inline void expect_says(const Outcome& outcome, const std::string& part) {
  EXPECT_NE(outcome.text.find(part), std::string::npos) << outcome.text;
}

/// Has a folder of its own for what the program writes.
class Program : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path / name; }
  std::string records_option() const { return " --records='" + file("records.jsonl") + "' "; }
  /// All of a kind, or all.
  std::vector<PlainJson> records(const std::string& kind = "") const {
    std::vector<PlainJson> found;
    std::ifstream stream(file("records.jsonl"));
    for (std::string line; std::getline(stream, line);) {
      const auto record = PlainJson::parse(line);
      if (kind.empty() || record["kind"] == kind) found.push_back(record);
    }
    return found;
  }
  const tests::Folder folder_;
};

}  // namespace ladder::bench
