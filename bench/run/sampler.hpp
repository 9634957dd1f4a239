#pragma once

// One timed run. What lies between the two readings of the clock is `Job::run` and, in host scope,
// `Job::fetch`; all else (guards, eviction, pinning, the reference, the check, recording) happens
// before or after.

#include <optional>

#include "bench/selection/selection.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {

/// Seconds of one run in the given state and scope; the result has been fetched when it returns.
/// Nothing where the hold gave up before all was enqueued: such a time includes waiting for
/// the host and means nothing. `twin` is the same on other data, for Cache::cold_data. With
/// `profile`, nothing is held or repeated, and nothing evicted but on `Profile::cold`, so that a
/// profiler sees the rung alone.
enum class Profile : std::uint8_t { no, alone, cold };
std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               Job* twin = nullptr, Profile profile = Profile::no);

}  // namespace ladder::bench
