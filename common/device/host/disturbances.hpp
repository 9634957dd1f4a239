#pragma once

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

namespace ladder::host {

/// CPU time lost to others during a measurement: to other programs on this machine, or to other
/// machines on the same processors.
class Disturbances {
 public:
  using Clock = std::chrono::steady_clock;
  /// Watches `cpus` CPUs and the calling thread, which must take part in every measurement.
  explicit Disturbances(unsigned cpus, const std::string& stat = "/proc/stat",
                        const std::string& schedstat = "/proc/thread-self/schedstat");

  /// Losses since the last call, in words. Empty on the first call, for losses below a hundredth of
  /// the time, and if the kernel reports none. A call takes some microseconds.
  std::string since_last(Clock::time_point now = Clock::now());

 private:
  struct Look {
    Clock::time_point at;
    double lost;  ///< seconds, counted by the kernel
  };
  static bool felt(std::optional<Look>& last, const Look& now, double least);

  std::ifstream stat_, schedstat_;  ///< kept open: read around each sample
  double seconds_per_tick_;
  std::optional<Look> waited_, stolen_;  ///< the last readings
};

}  // namespace ladder::host
