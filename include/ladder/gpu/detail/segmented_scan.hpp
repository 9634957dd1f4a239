#pragma once

// Segmented scans: over a wave's lanes, a block's waves, and the blocks of a grid.

#include "ladder/gpu/detail/batch_kernels.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Carry of each block: the segment left unfinished, and its value so far.
template <class A>
struct Carries {
  Index* segment;
  A* value;
};

#pragma GCC visibility push(hidden)

/// Value after the last segment end of several lanes or waves; `ends` has a bit for each with an
/// end.
template <class A>
struct Tail {
  Room<A> value;
  Lanes ends;
};

/// True if a lane below `lane` has a segment end.
__device__ inline bool ended_before(Lanes ends, unsigned lane) {
  return (ends & ((Lanes{1} << lane) - 1)) != 0;
}

/// Value of the lane `distance` below, and of the last lane. All lanes must call these.
template <class A>
__device__ A from_lane_below(const A& value, unsigned distance) {
  return by_words(value, [distance](unsigned word) { return lane_below(word, distance); });
}
template <class A>
__device__ A from_last_lane(const A& value) {
  return by_words(value, [](unsigned word) { return of_lane(word, wave - 1); });
}
/// The wave's values combined, in all lanes.
template <class A, class Op>
__device__ A combined_in_wave(A mine, Op op) {
#pragma unroll
  for (unsigned d = wave / 2; d > 0; d /= 2) mine = op(mine, from_across(mine, d));
  return mine;
}

/// Segmented scan over a wave. `ends`: the lane has a segment end; `tail`: its value after its last
/// one. Returns the carry from lower lanes into this one, `identity` for the first. `all` becomes
/// the lanes with an end, and `tail` the value since the last end up to and including this lane.
template <class A, class Op>
__device__ A before_in_wave(bool ends, A& tail, Lanes& all, Op op, A identity) {
  const unsigned lane = threadIdx.x % wave;
  all = lanes_with(ends);
  // Distance down to the nearest lane with a segment end, or to the first lane.
  const Lanes up_to_mine = all & ((Lanes{2} << lane) - 1);
  const unsigned reach = up_to_mine == 0 ? lane : lane - highest_lane(up_to_mine);
#pragma unroll
  for (unsigned s = 1; s < wave; s *= 2) {
    const A value = from_lane_below(tail, s);
    if (s <= reach) tail = op(value, tail);
  }
  const A before = from_lane_below(tail, 1);
  return lane == 0 ? identity : before;
}

/// Adds the blocks' carries to the segments' results, in block order. All threads of the last block
/// to finish must call it.
template <unsigned block, class A, class Op>
__device__ void hand_over(const Carries<A>& carries, Index segments, A* result, Tail<A>* waves,
                          Op op, A identity) {
  const unsigned each = (gridDim.x + block - 1) / block, lane = threadIdx.x % wave;
  const unsigned begin = threadIdx.x * each < gridDim.x ? threadIdx.x * each : gridDim.x;
  const unsigned end = begin + each < gridDim.x ? begin + each : gridDim.x;
  A mine = identity, first = identity;
  bool ended = false;  // a segment ends in this thread's carries; the first one waits for `before`
  Index first_segment = 0;
#pragma unroll 1
  for (unsigned b = begin; b < end; ++b) {
    mine = op(mine, carries.value[b]);
    const Index segment = carries.segment[b];
    if (b + 1 < gridDim.x && carries.segment[b + 1] == segment) continue;
    if (ended) {
      if (segment < segments) result[segment] = op(mine, result[segment]);
    } else {
      ended = true;
      first_segment = segment;
      first = mine;
    }
    mine = identity;
  }
  Lanes all = 0;
  A before = before_in_wave(ended, mine, all, op, identity);
  if (lane == wave - 1) {
    waves[threadIdx.x / wave].value.value = mine;
    waves[threadIdx.x / wave].ends = all;
  }
  __syncthreads();
  A into_wave = identity;
  for (unsigned w = 0; w < threadIdx.x / wave; ++w)
    into_wave = waves[w].ends != 0 ? waves[w].value.value : op(into_wave, waves[w].value.value);
  if (!ended_before(all, lane)) before = op(into_wave, before);
  if (ended && first_segment < segments)
    result[first_segment] = op(op(before, first), result[first_segment]);
}

/// Adds each wave's carry to the result of its segment, in wave order, if a later wave of the block
/// ends that segment. `begun` and `open`: the segments in which the waves began and ended. Stores
/// the block's carry. One wave calls it, after a barrier.
template <unsigned block, class A, class Op>
__device__ void join_waves(const Index* begun, const Index* open, const Tail<A>* waves,
                           const Carries<A>& carries, A* result, Op op, A identity) {
  constexpr unsigned count = block / wave;
  const unsigned lane = threadIdx.x % wave;
  const bool there = lane < count, ended = there && open[lane] > begun[lane];
  A value = there ? waves[lane].value.value : identity;
  Lanes all = 0;
  const A before = before_in_wave(ended, value, all, op, identity);
  if (ended && lane > 0) result[begun[lane]] = op(before, result[begun[lane]]);
  if (gridDim.x > 1 && lane == count - 1) {
    carries.segment[blockIdx.x] = open[lane];
    carries.value[blockIdx.x] = value;
  }
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
