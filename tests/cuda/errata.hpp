#pragma once

// What the rungs share that make a mistake of the published code (docs/errata.md). Each makes one
// mistake and is right otherwise, in code of its own.

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

/// One element per thread, as r04 takes them.
template <class T, class Op>
__global__ void reduce_ones(const T* x, Index n, typename Op::value* partial) {
  const auto all = tree<Op>(own_element<Op>(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

namespace errata {

/// Whether `count` elements of exact data, the first at an index that is a multiple of four, are
/// sure not to add up to zero: modulo 4 they are 1, 2, 3, 0 in turn (common/data.hpp). Where a rung
/// loses elements, whole blocks of them may add up to zero by chance, but modulo 4 they always do:
/// so what the last block loses decides.
constexpr bool never_cancel(std::size_t count) {
  constexpr std::size_t first[]{0, 1, 1 + 2, 1 + 2 + 3};
  return (count / 4 * (1 + 2 + 3) + first[count % 4]) % 4 != 0;
}

/// A block of 32 where fewer elements have to lie behind the input than guards stand there, or
/// where a mistake has to show at sizes of some thousands.
inline constexpr Tuning one_warp{.block = 32};

}  // namespace errata
}  // namespace ladder::cuda::faulty
