#pragma once

// The program over fake devices, started from a test.

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace ladder::bench {

struct Outcome {
  int status;
  std::string text;
};

/// What the program printed, both streams, and its exit status. It lies beside this test.
inline Outcome run(const std::string& arguments, const std::string& environment = "") {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ladder_on_fakes";
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

inline void expect_says(const Outcome& outcome, const std::string& part) {
  EXPECT_NE(outcome.text.find(part), std::string::npos) << outcome.text;
}

}  // namespace ladder::bench
