#pragma once

// What the program prints: the list of rungs, the plan, the tables of a run's results.

#include <iosfwd>
#include <memory>
#include <span>
#include <string>

#include "bench/results/results.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {

/// Every backend and rung of this build; as JSON also the ladders, the axes and the types. Opens
/// nothing.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json);

/// Prints the devices, then a table for each problem (type, operation, data, cache state, scope):
/// a row for each rung, size and tuning.
void print_tables(std::ostream& out, const Results& results, bool profile);

/// Prints the measurements, the seconds that they take if known (not 0), their memory, and what is
/// left out: for --dry-run.
void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds);

/// Prints the counters, then a table of the medians over the rounds: for --energy.
void print_energy(std::ostream& out, const Results& results);

/// Prints a line for each reason to leave rungs out, and one for each backend that does not run.
void print_left_out(std::ostream& out, const Plan& plan, const LeftOut& left_out);

/// A line for each compiler that was told not to optimize, with its flags; empty where all do.
std::string unoptimized_text(std::span<const BuildFact> facts = build_info().facts);

}  // namespace ladder::bench
