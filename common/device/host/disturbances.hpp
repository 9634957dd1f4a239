#pragma once

// What others take of the CPUs while something is measured: another machine on the same processors,
// or another program on this one.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace ladder::host {

/// A file that is read again and again: opened once, since it is read around each sample.
class Reread {
 public:
  explicit Reread(const std::string& path);
  ~Reread();
  Reread(const Reread&) = delete;
  Reread& operator=(const Reread&) = delete;
  /// The first line, or as much of it as fits; empty where there is none.
  std::string first_line() const;

 private:
  int file_;
};

/// Nanoseconds for which a thread could have run and waited for a CPU: the second number of its
/// schedstat (Linux, Documentation/scheduler/sched-stats.rst).
std::optional<std::uint64_t> waited_ns(const std::string& schedstat);
/// Ticks of all CPUs that the hypervisor gave to others: the eighth number of /proc/stat's first
/// line (proc(5)).
std::optional<std::uint64_t> stolen_ticks(const std::string& stat);

class Disturbances {
 public:
  using Clock = std::chrono::steady_clock;
  /// Of the calling thread, which takes part in everything that is measured, and of `cpus` CPUs.
  explicit Disturbances(unsigned cpus, const std::string& stat = "/proc/stat",
                        const std::string& schedstat = "/proc/thread-self/schedstat");

  /// What has been taken since the last call, in words; empty for less than a hundredth of the
  /// time. The first call begins. A look costs some microseconds; the ticks of the hypervisor are
  /// coarse, and are looked at ten times a second.
  std::string since_last(Clock::time_point now = Clock::now());

 private:
  Reread stat_, schedstat_;
  double ticks_a_second_;  ///< of all CPUs together
  struct Look {
    Clock::time_point at;
    std::uint64_t count;
  };
  std::optional<Look> waited_, stolen_;
};

}  // namespace ladder::host
