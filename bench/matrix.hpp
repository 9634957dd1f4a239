#pragma once

// Sweeps as matrices: rungs down, what was swept across.

#include <iosfwd>
#include <string_view>
#include <vector>

#include "bench/cells.hpp"

namespace ladder::bench {

/// What a sweep goes over.
struct Axis {
  std::string_view name, label;           ///< "block", and as in "b256"
  std::size_t few;                        ///< values that are no sweep yet
  std::size_t (*of)(const Measurement&);  ///< 0 where the rung has no such axis
};

/// The axes that the rows of a problem are swept over, the one with the most values first. A grid
/// that only follows n or the block is none.
std::vector<const Axis*> swept_axes(const Rows& rows);

/// Whether the sizes are swept, and whether they are what goes across.
bool sweeps_sizes(const std::vector<const Axis*>& swept);
bool over_sizes(const std::vector<const Axis*>& swept);

/// GB/s and percent of the ceiling over the first of `swept`; the others tell the lines apart.
void print_sweep(std::ostream& out, const Study& study, const Rows& rows,
                 const std::vector<const Axis*>& swept);

/// Of each rung the row with the best tuning.
Rows best_tunings(const Rows& rows);

/// Where problems differ only in type and operation, and nothing is swept: these cases across, each
/// at its largest size. `problems` are the rows of each.
void print_cases(std::ostream& out, const Study& study, const std::vector<Rows>& problems);

}  // namespace ladder::bench
