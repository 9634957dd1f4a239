#pragma once

// What rungs that are wrong on purpose are made of, and the finders of those that make a mistake of
// the published code (docs/errata.md). Each makes one mistake and is right otherwise, in code of
// its own.

#include <cstddef>
#include <span>
#include <string_view>

#include <cuda_runtime.h>

#include "cuda/index.hpp"
#include "cuda/table.hpp"
#include "cuda/tree.hpp"
#include "tests/faults.hpp"

namespace ladder::cuda::faulty {

template <template <class> class Launch>
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

consteval Extra wrong(std::string_view id, std::string_view idea,
                      Run<Queue> (*finder)(Type, Operation), unsigned axes = block_axis,
                      Tuning defaults = {.block = 256}) {
  return {Rung{id, "", "", idea, "wrong on purpose", axes}, Entry{id, finder, defaults}, false};
}

__device__ inline void lose_time() {
  constexpr long long cycles =
      100000;  // some 50 microseconds; a level of the tree takes less than one
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

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

/// These rungs, and what is known of each: errata.cu.
std::span<const Extra> rungs();
std::span<const faults::Fault> faults();

}  // namespace errata

}  // namespace ladder::cuda::faulty
