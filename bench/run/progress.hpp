#pragma once

// What is going on and how long it will take, on a terminal only. Where nothing is under way is
// where a run can be stopped: see bench/run/supervision.hpp.

#include <chrono>
#include <string>

#include "bench/results/process.hpp"

namespace ladder::bench {

class Progress {
 public:
  /// Says which process it is, where there are several.
  explicit Progress(const Process& process);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is done before the samples: one line, replaced by the next.
  void stage(const std::string& what);
  /// More samples will follow, which are expected to cost so many seconds together.
  void expect(double seconds) { expected_ += seconds; }
  /// A sample that was expected to cost `seconds` is done.
  void advance(double seconds, const std::string& what);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const std::string& line);
  std::string which_;
  bool terminal_;
  bool shown_ = false;
  double expected_ = 0, done_ = 0;
  Clock::time_point begun_{}, last_{};
};

}  // namespace ladder::bench
