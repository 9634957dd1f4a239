#pragma once

#include <cstdint>

#include "common/gpu/platform.hpp"

namespace ladder::LADDER_MODEL {

/// Index of elements in kernels: n may exceed 2^31.
using Index = std::int64_t;

/// Unroll factor of all grid-stride loops and of the chains of r17. The compiler issues the loads
/// of four steps before it uses the first of them, and the chain of additions stays one. By default
/// nvcc and clang choose another factor for each type, operation and bound; rungs would then differ
/// by more than their idea.
inline constexpr int unrolled = 4;

/// Steps of a grid-stride loop from `first` up to `n`; none if it begins past `n`. Counted
/// beforehand, or the compiler has to test each of the unrolled steps before the next load.
LADDER_DEVICE inline Index steps(Index first, Index n, Index stride) {
  return (n - first + stride - 1) / stride;
}

}  // namespace ladder::LADDER_MODEL
