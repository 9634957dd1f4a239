#pragma once

// Rows in words: what the tables and the matrices have in common.

#include <optional>
#include <string>
#include <vector>

#include "bench/results/results.hpp"

namespace ladder::bench {

using Rows = std::vector<const Row*>;

/// With the digits that its relative uncertainty warrants, three at most: for ratios.
std::string ratio(double value, double uncertainty);
std::string percent(const std::optional<double>& part, double uncertainty);

/// "5/5" and what is to be known of that check, or how it is wrong or failed.
std::string checked(const Row& row);

/// The value of the reduction, or the first of several: "-1.5, -1.25, -1 and 4 more".
std::string results_text(const Row& row);

/// "exact data, cold, kernel scope".
std::string conditions_text(const Measurement& m);
/// "float sum, exact data, cold, kernel scope".
std::string problem_text(const Measurement& m);
/// "n = 2^20 (4 MiB)".
std::string n_text(const Measurement& m);
/// "@last": where the deciding element is, if it is not anywhere.
std::string place_text(const Measurement& m);

/// "b256": a value on an axis, by the axis's first letter.
std::string axis_text(const Axis& axis, const Tuning& tuning);
/// "b256 g1056 @last": all of the rung's axes and the place.
std::string tuning_text(const Measurement& m);
/// "b block, g grid, ...": what the letters stand for.
std::string axes_text();

/// `text` behind `list`, a blank between them.
void append(std::string& list, const std::string& text);

}  // namespace ladder::bench
