#pragma once

// What the options of the command line say, once they are known by their names. What is not said
// leaves the selection's default; what cannot be is a `UsageError`.

#include "bench/cli/selection.hpp"
#include "bench/cli/standard_sweeps.hpp"

namespace ladder::bench {

/// Lets the sweeps of --sweep set what the command line does not.
void take_sweeps(Selection& selection, Options& given);

/// Takes what the options say into the selection.
void take_options(Selection& selection, Options& given);

/// With --energy: each rung runs back to back, as the host calls it, so that a rung that blocks can
/// be measured too. What is about times means nothing.
void take_energy(Selection& selection, const Options& given);

}  // namespace ladder::bench
