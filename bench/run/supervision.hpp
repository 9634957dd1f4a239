#pragma once

// How a run ends early (a time limit, a lost device), and the line that tells how far it has come.
// Ctrl-C and SIGTERM end the program at once: each sample is in the records when it is taken.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "bench/results/results.hpp"

namespace ladder::bench {

/// Exit status after the loss of a device.
inline constexpr int lost_status = 3;

/// Prints `error` and how to go on, and exits with `lost_status`. Frees nothing: on a lost device
/// that fails or blocks.
[[noreturn]] void end_as_lost(const std::string& error);

/// Limits the time of each run on a GPU, and catches the abort of a run-time library. One at a
/// time.
class TimeLimit {
 public:
  /// Gets the reason and ends the process: on another thread while the run goes on, or inside
  /// abort().
  using GiveUp = std::function<void(const std::string& why)>;

  /// A run may take `seconds`; 0: no limit.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Calls `body` under the limit.
  void run(const std::function<void()>& body, GiveUp give_up);

 private:
  using Clock = std::chrono::steady_clock;
  friend void note_abort(int signal);
  void set(GiveUp give_up);
  void watch(const std::stop_token& stop);

  const std::chrono::duration<double> limit_;
  std::mutex mutex_;  ///< held by whoever gives up until the process has ended
  GiveUp give_up_;    ///< of the run under way; empty: there is none
  Clock::time_point began_;
  std::jthread thread_;  ///< destroyed before what it uses
};

/// One line about what is going on and how long it will take, on a terminal only.
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
