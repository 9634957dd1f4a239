#pragma once

// Trees over the elements of a thread, the lanes of a wave and the waves of a block.

#include "ladder/gpu/detail/gpu_platform.hpp"
#include "ladder/gpu/detail/gpu_words.hpp"
#include "ladder/gpu/gpu_operations.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Elements [0, count) of an array as one value, pair by pair. `count` is a power of two.
template <unsigned count, class A, class T, class Op>
__device__ A fold(const T* at, Op op) {
  return combined<A, 0, count>(op, [&](unsigned k) { return reduce_detail::cast<A>(at[k]); });
}

/// Active lanes per wave of a block, and waves per block.
template <unsigned block>
inline constexpr unsigned lanes_of = block < wave ? block : wave;
template <unsigned block>
inline constexpr unsigned warps_of = block / lanes_of<block>;

/// A value whose words went through `from_lane`, which takes a word of another lane. All lanes must
/// call it.
template <class A, class FromLane>
__device__ A by_words(const A& value, const FromLane& from_lane) {
  auto pieces = reduce_detail::cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p) pieces.at[p] = from_lane(pieces.at[p]);
  return reduce_detail::joined<A>(pieces);
}

/// Value of the lane `distance` above.
template <class A>
__device__ A from_above(const A& value, unsigned distance) {
  return by_words(value, [distance](unsigned word) { return lane_above(word, distance); });
}

template <unsigned width, class A, class Op>
__device__ A reduce_lanes(A mine, Op op) {
#pragma unroll
  for (unsigned s = width / 2; s > 0; s /= 2) mine = op(mine, from_above(mine, s));
  return mine;
}

/// Alignment of a block's values in shared memory: that of loads by fours at least.
template <class A>
inline constexpr unsigned tile_alignment = alignof(A) < 16 ? 16 : alignof(A);

/// Reduces one value per thread; thread 0 gets the result. `tile` holds one value per wave. One
/// thread adds the waves' values, loaded by fours, instead of a chain of dependent shuffles.
template <unsigned block, class A, class Op>
__device__ A reduce_block(A mine, Op op, A* tile) {
  mine = reduce_lanes<lanes_of<block>>(mine, op);
  if constexpr (block > wave) {
    if (threadIdx.x % wave == 0) tile[threadIdx.x / wave] = mine;
    __syncthreads();
    if (threadIdx.x == 0) mine = fold<warps_of<block>, A>(tile, op);
  }
  return mine;
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
