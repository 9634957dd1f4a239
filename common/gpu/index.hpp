#pragma once

#include <cstdint>

#include "common/gpu/platform.hpp"

namespace ladder::LADDER_MODEL {

/// What kernels count elements with: n may pass 2^31.
using Index = std::int64_t;

/// How far the compiler unrolls the grid-stride loop of every rung that has one, and the chains of
/// r17: it issues the loads of four steps before it uses the first of them, and the chain of
/// additions stays one. Left to themselves, nvcc and clang take another number for each type,
/// operation and bound, so that a step of the ladder would compare that.
inline constexpr int unrolled = 4;

/// The steps of a grid-stride loop from `first` up to `n`, none where it begins behind. Counted
/// beforehand, or the compiler has to test each of the unrolled steps before the next load.
LADDER_DEVICE inline Index steps(Index first, Index n, Index stride) {
  return (n - first + stride - 1) / stride;
}

}  // namespace ladder::LADDER_MODEL
