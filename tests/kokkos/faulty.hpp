#pragma once

// The Kokkos backends with rungs that are wrong on purpose past their own, and r16 under a second
// name.

#include <memory>
#include <span>
#include <vector>

#include "common/backend.hpp"
#include "tests/faults.hpp"

namespace ladder::kokkos::faulty {

std::vector<std::unique_ptr<Backend>> backends();

std::span<const faults::Fault> faults();

}  // namespace ladder::kokkos::faulty
