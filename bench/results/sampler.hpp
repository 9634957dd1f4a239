#pragma once

// One timed run. What lies between the two readings of the clock is `Job::run` and, in host scope,
// `Job::fetch`; all else (guards, eviction, pinning, the reference, the check, recording) happens
// before or after.

#include <cstdint>
#include <memory>
#include <optional>

#include "bench/cli/selection.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {

/// What runs between the eviction and the measured run for Cache::cold_data.
struct Warming {
  std::unique_ptr<Job> empty;  ///< the least launch of the device
  std::unique_ptr<Job> twin;   ///< what is measured, on other data
};

/// For profilers nothing is held or repeated, and nothing evicted but with `cold`, so that they see
/// the rung alone.
enum class Profile : std::uint8_t { no, alone, cold };
/// The job's threads are where they run for as long as this lives, whatever is thrown.
class Armed {
 public:
  explicit Armed(Job& job) : job_(job) { job_.arm(); }
  ~Armed() { job_.disarm(); }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;

 private:
  Job& job_;
};

/// Runs before the timed one that fill the caches.
inline constexpr int hot_runs = 3;

/// Seconds of one run in the given state and scope, as the mean of `calls` in a row: in host scope
/// each is fetched, in a chain the last alone. The result has been fetched when it returns.
/// Nothing where the hold gave up before all was enqueued: such a time includes waiting for
/// the host and means nothing.
std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               const Warming& warming = {}, Profile profile = Profile::no,
                               unsigned calls = 1);

/// How many calls in a row a sample is: 1, but hot on a CPU as many as last 20 µs, since less than
/// that drowns in the two readings of the clock; and of a chain as many as last 200 µs, from 20 to
/// 100, as many as a stream takes without its host having to wait.
unsigned calls_of_a_sample(Device& device, Job& job, Cache cache, Scope scope);

}  // namespace ladder::bench
