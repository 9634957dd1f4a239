#pragma once

// Sweeps as matrices: rungs down, what was swept across.

#include <iosfwd>
#include <vector>

#include "bench/output/row_text.hpp"

namespace ladder::bench {

/// What a sweep goes over: an axis of the tuning, or, null, the sizes.
using Swept = const Axis*;

/// What the rows of a problem are swept over, that with the most values first. A grid that only
/// follows n or the block is none.
std::vector<Swept> swept_axes(const Rows& rows);

/// GB/s and percent of the ceiling over the first of `swept`; the others tell the lines apart.
void print_sweep(std::ostream& out, const Results& results, const Rows& rows,
                 const std::vector<Swept>& swept, std::size_t room);

/// Of each rung the row with the best tuning.
Rows best_tunings(const Rows& rows);

/// Where problems differ only in type and operation, and nothing is swept: these cases across, each
/// at its largest size. `problems` are the rows of each.
void print_cases(std::ostream& out, const Results& results, const std::vector<Rows>& problems,
                 std::size_t room);

}  // namespace ladder::bench
