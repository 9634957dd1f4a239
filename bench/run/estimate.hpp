#pragma once

#include "bench/plan/plan.hpp"

namespace ladder::bench {

/// About how many seconds of wall time the plan takes, by what its parts cost here: emptying the
/// caches, making and checking the data, and each rung once on a small input are timed. Takes about
/// a tenth of a second and some milliseconds for each rung; measures nothing that is reported.
double estimated_seconds(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
