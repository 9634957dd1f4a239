#pragma once

// One line about what is going on and how long it will take, on a terminal only. Each call is where
// a run can be stopped: see bench/run/supervision.hpp.

#include <chrono>
#include <string>

#include "bench/results/results.hpp"

namespace ladder::bench {

class Progress {
 public:
  /// Names the process if there are several.
  explicit Progress(const Process& process);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows what is done before the samples.
  void stage(const std::string& what);
  /// Samples that are expected to cost so many seconds together will follow.
  void expect(double seconds);
  /// A sample that was expected to cost `seconds` is done.
  void advance(double seconds, const std::string& what);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const std::string& line);
  std::string which_;
  bool terminal_;
  double expected_ = 0, done_ = 0;
  Clock::time_point begun_, shown_;
};

}  // namespace ladder::bench
