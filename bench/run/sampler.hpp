#pragma once

// One timed run. What lies between the two readings of the clock is `Job::run` and, in host scope,
// `Job::fetch`; all else (guards, eviction, pinning, the reference, the check, recording) happens
// before or after.

#include <optional>

#include "bench/selection/selection.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {

/// Runs before the timed one that fill the caches.
inline constexpr int hot_runs = 3;

/// Seconds of one run in the given state and scope; the result has been fetched when it returns.
/// Nothing where the hold gave up before all was enqueued: such a time includes waiting for
/// the host and means nothing. With `profile`, nothing is held, evicted or repeated, so that a
/// profiler sees the rung alone.
std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               bool profile = false);

}  // namespace ladder::bench
