#pragma once

// What the user reads: the plan, and the tables at the end.

#include <iosfwd>
#include <limits>

#include "bench/results/results.hpp"

namespace ladder::bench {

/// What the tables are printed on.
struct Style {
  bool colour = false;  ///< wrong results are red
  /// Columns that there are. A table of one size leaves out what does not fit, a matrix goes on
  /// below.
  std::size_t columns = std::numeric_limits<std::size_t>::max();
};

/// The devices, then a table for each problem. Where it is swept, matrices, then a table of the
/// largest size, after other sweeps than of sizes with the best tuning of each rung only. At the
/// end the types and operations side by side.
void print_tables(std::ostream& out, const Results& results, bool profile, const Style& style);

/// The reduced value of each measurement: for --results.
void print_results(std::ostream& out, const Results& results);

/// How many measurements, about how long, how much memory, and what is left out: for --dry-run.
void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds);

/// What the plan leaves out, and `more`, with the reasons.
void print_not_run(std::ostream& out, const Plan& plan, const std::vector<Skipped>& more);

}  // namespace ladder::bench
