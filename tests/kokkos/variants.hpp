#pragma once

#include <span>

#include "kokkos/backend.hpp"

namespace ladder::kokkos::variants {

/// Experiments on single points of the ladder's rungs and of Kokkos's own reduction; right, and
/// checked like them.
std::span<const Extra> rungs();

}  // namespace ladder::kokkos::variants
