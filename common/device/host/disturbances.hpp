#pragma once

// What others take of the CPUs while something is measured: another machine on the same processors,
// or another program on this one.

#include <chrono>
#include <optional>
#include <string>

namespace ladder::host {

/// Time that the kernel counts as lost, by a number in the first line of a file of its own. The
/// file is opened once, since it is read around each sample.
class LostTime {
 public:
  using Clock = std::chrono::steady_clock;

  /// The number is the `word`-th, counted from 0. It is read no more often than `interval`.
  LostTime(const std::string& path, int word, double seconds_per_count, Clock::duration interval);
  ~LostTime();
  LostTime(const LostTime&) = delete;
  LostTime& operator=(const LostTime&) = delete;

  /// True where more than `least` seconds and a hundredth of the time were lost since the last
  /// look. False at the first look, and where the kernel tells nothing.
  bool felt(Clock::time_point now, double least);

 private:
  double seconds() const;

  int file_, word_;
  double seconds_per_count_;
  Clock::duration interval_;
  std::optional<Clock::time_point> looked_;
  double lost_ = 0;  ///< at the last look
};

class Disturbances {
 public:
  using Clock = LostTime::Clock;
  /// Of the calling thread, which takes part in everything that is measured, and of `cpus` CPUs.
  explicit Disturbances(unsigned cpus, const std::string& stat = "/proc/stat",
                        const std::string& schedstat = "/proc/thread-self/schedstat");

  /// What has been taken since the last call, in words; empty for less than a hundredth of the
  /// time. The first call begins. A call takes some microseconds.
  std::string since_last(Clock::time_point now = Clock::now());

 private:
  LostTime waited_, stolen_;
};

}  // namespace ladder::host
