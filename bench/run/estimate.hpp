#pragma once

#include <functional>

#include "bench/plan/plan.hpp"

namespace ladder::bench {

/// About how many seconds of wall time the plan takes, by what its parts cost here: emptying the
/// caches, making and checking the data, and each rung once on a small input are timed. Takes about
/// a tenth of a second and some milliseconds for each rung; measures nothing that is reported.
/// `now` tells the seconds of the clock that the parts are timed by.
double estimated_seconds(const Selection& selection, const Plan& plan,
                         const std::function<double()>& now);
/// The same by the wall's clock.
double estimated_seconds(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
