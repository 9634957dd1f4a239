#pragma once

#include <cstdint>

namespace ladder::cuda {

/// What kernels count elements with: 64 bits, since n may pass 2^31, and signed: an unsigned
/// counter might wrap around, so nvcc could not work out the steps of a grid-stride loop
/// beforehand, and would leave it as it is.
using Index = std::int64_t;

/// How far nvcc unrolls the grid-stride loops: it issues the loads of four steps before it uses the
/// first of them. That is what it does by itself, but for integers in loops of single elements,
/// where it takes sixteen, and registers with them that cost blocks. Held to four, every type and
/// every rung with such a loop does the same. The chain of additions stays one.
inline constexpr int unrolled = 4;

}  // namespace ladder::cuda
