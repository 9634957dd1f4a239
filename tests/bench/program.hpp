#pragma once

// Runs the program over fake devices from a test.

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

/// Runs the program, from this test's folder, and returns its exit status and both output streams.
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

/// Does the same and expects this exit status.
inline Outcome run_to(int status, const std::string& arguments,
                      const std::string& environment = "") {
  Outcome outcome = run(arguments, environment);
  EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.text;
  return outcome;
}

/// Does the same on a terminal of that many columns; the text is all output to the terminal.
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

/// Fixture with a temporary folder for the program's files.
class Program : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path / name; }
  std::string records_option() const { return " --records='" + file("records.jsonl") + "' "; }
  /// Returns all records of a kind, or all if `kind` is empty.
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
