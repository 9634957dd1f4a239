#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

// The one thing about a loop that the portable model has no word for, and that a comparison cannot
// do without: how far it is unrolled. On a GPU four steps, as in the native rungs, so that the
// loads of four are under way before the first is used; host compilers are left to themselves.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_UNROLLED _Pragma("unroll 4")
#define LADDER_UNROLLED_WHOLE _Pragma("unroll")
#else
#define LADDER_UNROLLED
#define LADDER_UNROLLED_WHOLE
#endif

namespace ladder::kokkos {

/// What kernels count elements with: n may pass 2^31.
using Index = std::int64_t;

/// The chains of r17, and how far LADDER_UNROLLED goes.
inline constexpr int unrolled = 4;

/// The steps of a grid-stride loop from `first` up to `n`, none where it begins behind. Counted
/// beforehand, or a compiler has to test each of the unrolled steps before the next load.
KOKKOS_INLINE_FUNCTION Index steps(Index first, Index n, Index stride) {
  return (n - first + stride - 1) / stride;
}

}  // namespace ladder::kokkos
