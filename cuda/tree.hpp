#pragma once

// What the trees of the rungs are made of, and the tree itself for the rungs whose idea is another.

#include <bit>
#include <type_traits>

#include <cuda_runtime.h>

#include "common/half.hpp"

namespace ladder::cuda {

/// Threads that are scheduled together: a constant of every NVIDIA GPU so far.
inline constexpr unsigned warp = 32;

/// The block's dynamic shared memory.
template <class T>
__device__ T* shared_memory() {
  extern __shared__ __align__(16) unsigned char memory[];
  return reinterpret_cast<T*>(memory);
}

/// The same from the beginning of a line of 128 bytes, as memory has them: a line that is copied
/// there crosses into the SM as one request, not as one for each sector.
template <class T>
__device__ T* lines_of_shared_memory() {
  extern __shared__ __align__(128) unsigned char lines[];
  return reinterpret_cast<T*>(lines);
}

/// The value that the thread `distance` lanes above holds. All 32 lanes have to call it.
template <class T>
__device__ T from_above(T value, unsigned distance) {
  if constexpr (sizeof(T) < 4) {
    return narrowed<T>(__shfl_down_sync(0xFFFFFFFFu, widened(value), distance));
  } else if constexpr (std::is_class_v<T>) {
    struct Pieces {
      unsigned at[sizeof(T) / 4];
    };
    auto pieces = std::bit_cast<Pieces>(value);
#pragma unroll
    for (unsigned& piece : pieces.at) piece = __shfl_down_sync(0xFFFFFFFFu, piece, distance);
    return std::bit_cast<T>(pieces);
  } else {
    return __shfl_down_sync(0xFFFFFFFFu, value, distance);
  }
}

/// Combines one value of each thread, as r12 does; thread 0 gets the result. Every thread of the
/// block has to call it, and with a barrier of the block between two calls: both use the same
/// shared memory.
template <class Op, unsigned block, class A>
__device__ A reduce_block(A mine) {
  __shared__ A tile[block / warp];
  const unsigned tid = threadIdx.x;
#pragma unroll
  for (unsigned s = warp / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (tid % warp == 0) tile[tid / warp] = mine;
  __syncthreads();
  if (tid < warp) {
    mine = tid < block / warp ? tile[tid] : Op::identity();
#pragma unroll
    for (unsigned s = block / warp / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  }
  return mine;
}

}  // namespace ladder::cuda
