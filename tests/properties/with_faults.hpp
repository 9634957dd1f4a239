#pragma once

// Whether the backends of this executable have faulty rungs: one of the two sources beside says it.

#include <vector>

#include "tests/faults.hpp"

namespace ladder::tests {

/// `faults::all_faults()`, or nothing in an executable with right rungs alone.
std::vector<faults::FaultsOf> known_faults();

}  // namespace ladder::tests
