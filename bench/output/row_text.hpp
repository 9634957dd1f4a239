#pragma once

// Rows in words, for the tables of times and of energy.

#include <string>

#include "bench/results/results.hpp"

namespace ladder::bench {

/// "5/5" right samples, with what the check leaves open; or how the row is wrong or failed.
std::string checked(const Row& row);

/// The value of the reduction, or the first of several: "-1.5, -1.25, -1 and 4 more".
std::string results_text(const Row& row);

/// "n = 2^20 (4 MiB)".
std::string n_text(const Measurement& m);

/// "b256 g1056 @last": the values on the rung's axes, by the axes' first letters, and the place of
/// the deciding element, unless that is random.
std::string tuning_text(const Measurement& m);

}  // namespace ladder::bench
