#pragma once

// What the user reads: the table at the end, the plan, the list.

#include <iosfwd>
#include <memory>
#include <span>

#include "bench/study.hpp"

namespace ladder::bench {

/// The devices, then a table for each problem. Where it is swept, matrices, then a table of the
/// largest size, after other sweeps than of sizes with the best tuning of each rung only. At the
/// end the types and operations side by side. With `colour`, wrong results are red.
void print_tables(std::ostream& out, const Study& study, bool profile, bool colour);

/// How many measurements, about how long, how much memory, and what is left out: for --dry-run.
void print_plan(std::ostream& out, const Selection& selection, const Plan& plan);

/// Every backend and rung of this build: for --list. Opens nothing.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json);

}  // namespace ladder::bench
