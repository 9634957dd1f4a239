#pragma once

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

namespace ladder::host {

/// What others take of the CPUs while something is measured: another program on this machine, or
/// another machine on the same processors.
class Disturbances {
 public:
  using Clock = std::chrono::steady_clock;
  /// For the calling thread, which takes part in everything that is measured, and `cpus` CPUs.
  explicit Disturbances(unsigned cpus, const std::string& stat = "/proc/stat",
                        const std::string& schedstat = "/proc/thread-self/schedstat");

  /// What has been taken since the last call, in words; empty for less than a hundredth of the
  /// time, and where the kernel tells nothing. The first call begins. A call takes some
  /// microseconds.
  std::string since_last(Clock::time_point now = Clock::now());

 private:
  struct Look {
    Clock::time_point at;
    double lost;  ///< seconds, counted by the kernel
  };
  static bool felt(std::optional<Look>& last, const Look& now, double least);

  std::ifstream stat_, schedstat_;  ///< stay open: they are read around each sample
  double seconds_per_tick_;
  std::optional<Look> waited_, stolen_;  ///< the last ones
};

}  // namespace ladder::host
