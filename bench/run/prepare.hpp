#pragma once

// What is done before the first counted sample.

#include "bench/run/results.hpp"
#include "bench/tell/progress.hpp"

namespace ladder::bench {

/// Makes the inputs, the references and the jobs of all measurements of the plan.
void make_rows(const Selection& selection, Progress& progress, Results& results);

/// Times what measures nothing, on each device.
void measure_floors(Progress& progress, Results& results);

/// Sweeps the read-only kernel once per device, byte count and cache state, and keeps its best
/// configurations.
void sweep_ceilings(const Selection& selection, Progress& progress, Results& results);

/// How many samples are wanted of something that takes `seconds`, and `cost` with all that goes
/// with one sample.
std::size_t samples_for(const Selection& selection, double cost, double seconds);

}  // namespace ladder::bench
