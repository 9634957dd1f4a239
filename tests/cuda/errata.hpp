#pragma once

// Shared code of the rungs that reproduce mistakes of the published code (docs/errata.md). Each
// makes exactly one mistake, in independent code.

#include <cstddef>

#include <cuda_runtime.h>

#include "common/gpu/index.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda::faulty {

/// The tree of r04 over one value of each thread; thread 0 gets the result.
template <class Op>
__device__ typename Op::value tree(typename Op::value mine) {
  auto* const tile = shared_memory<typename Op::value>();
  const unsigned tid = threadIdx.x;
  tile[tid] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  return tile[0];
}

/// One element per thread, as in r04.
template <class T, class Op>
__global__ void reduce_ones(const T* x, Index n, typename Op::value* partial) {
  const auto all = tree<Op>(own_element<Op>(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

namespace errata {

/// Returns true if `count` elements of exact data, from an index that is a multiple of four on,
/// never add up to zero: modulo 4 they repeat 1, 2, 3, 0 (common/data.hpp). Lost whole blocks add
/// up to zero modulo 4, and may do so exactly by chance: the loss in the last block decides.
constexpr bool never_cancel(std::size_t count) {
  constexpr std::size_t first[]{0, 1, 1 + 2, 1 + 2 + 3};
  return (count / 4 * (1 + 2 + 3) + first[count % 4]) % 4 != 0;
}

/// Block of 32: limits an overrun to the guards past the input, or makes a mistake show at sizes of
/// some thousands.
inline constexpr Tuning one_warp{.block = 32};

}  // namespace errata
}  // namespace ladder::cuda::faulty
