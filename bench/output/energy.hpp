#pragma once

// The table of --energy.

#include <iosfwd>
#include <vector>

#include "bench/output/tables.hpp"
#include "bench/run/energy.hpp"

namespace ladder::bench {

/// The devices with what counted there, then a table for each problem: medians over the rounds, and
/// how far the rounds are apart.
void print_energy(std::ostream& out, const Plan& plan, const std::vector<Skipped>& skipped,
                  const std::vector<EnergyRound>& rounds, const Style& style);

}  // namespace ladder::bench
