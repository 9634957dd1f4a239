#pragma once

// One timed run. What lies between the two readings of the clock is `Job::run` and, in host scope,
// `Job::fetch`; all else (guards, eviction, pinning, the reference, the check, recording) happens
// before or after.

#include <optional>

#include "bench/selection.hpp"
#include "common/backend.hpp"

namespace ladder::bench {

/// Seconds of one run in the given state and scope; the result has been fetched when it returns.
/// Nothing where the hold gave up before the queue was complete: such a time includes waiting for
/// the host and means nothing. With `profile`, nothing is held, evicted or repeated, so that a
/// profiler sees the rung alone.
std::optional<double> time_run(Backend& backend, Job& job, Cache cache, Scope scope,
                               bool profile = false);

/// The scope in which a device's own work is timed best: kernel where there is a device timer.
inline Scope finest_scope(const Backend& backend) {
  return backend.has_device_timer() ? Scope::kernel : Scope::host;
}

}  // namespace ladder::bench
