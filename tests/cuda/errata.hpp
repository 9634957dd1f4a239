#pragma once

// The finders of rungs that make a mistake of the published code (docs/errata.md). Each makes one
// mistake and is right otherwise, in code of its own.

#include <cstddef>

#include <cuda_runtime.h>

#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"
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

/// One element per thread, as r04 takes them. `bounded` false: whatever stands there, behind the
/// last too.
template <class T, class Op, bool bounded = true>
__global__ void reduce_ones(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  const A all = tree<Op>(!bounded || i < n ? A(x[i]) : Op::identity());
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

namespace errata {

// Which elements a block takes: errata_elements.cu.
Run<Queue> no_bound(Type, Operation);
Run<Queue> second_load_unbounded(Type, Operation);
Run<Queue> half_the_terms(Type, Operation);
Run<Queue> vector_past_end(Type, Operation);
Run<Queue> vector_count_rounded_down(Type, Operation);
/// Elements of a block's slice for each thread in the last two: whole vectors of either width.
inline constexpr unsigned slice_items = 8;
/// How far apart the blocks of `half_the_terms` begin, and how much they add, in elements per
/// thread.
inline constexpr unsigned strode = 32, added = 16;

// How the blocks' results become one: errata_passes.cu.
Run<Queue> stale_length(Type, Operation);
Run<Queue> length_rounded_down(Type, Operation);
Run<Queue> in_place(Type, Operation);
Run<Queue> result_not_reset(Type, Operation);

// How the threads of a block work together: errata_threads.cu.
Run<Queue> last_warp_past_tile(Type, Operation);
Run<Queue> volatile_last_warp(Type, Operation);
Run<Queue> shuffle_outside_mask(Type, Operation);
Run<Queue> barrier_in_branch(Type, Operation);

}  // namespace errata
}  // namespace ladder::cuda::faulty
