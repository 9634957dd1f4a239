#pragma once

// Building blocks of the rungs' trees, and the tree itself for rungs with another idea.

#include "common/gpu/platform.hpp"
#include "common/model/layout.hpp"

namespace ladder::LADDER_MODEL {

/// Threads that are scheduled together in a block of `block`: a wavefront, or all of a smaller
/// block, which fills only the first lanes of a wavefront of 64.
__device__ constexpr unsigned lanes(unsigned block) {
  return block < wave_size() ? block : wave_size();
}

/// The block's dynamic shared memory.
template <class T>
__device__ T* shared_memory() {
  extern __shared__ __align__(16) unsigned char memory[];
  return reinterpret_cast<T*>(memory);
}

/// Combines one value per thread, as r12 does; thread 0 gets the result. All threads of the block
/// must call it, with a barrier of the block between two calls: both use the same shared memory.
template <class Op, unsigned block, class A>
__device__ A reduce_block(A mine) {
  constexpr unsigned wave = lanes(block);
  __shared__ A tile[block / wave];
  const unsigned tid = threadIdx.x;
#pragma unroll
  for (unsigned s = wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (tid % wave == 0) tile[tid / wave] = mine;
  __syncthreads();
  if (tid < wave) {
    mine = tid < block / wave ? tile[tid] : Op::identity();
#pragma unroll
    for (unsigned s = block / wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  }
  return mine;
}

}  // namespace ladder::LADDER_MODEL
