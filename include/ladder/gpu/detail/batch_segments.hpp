#pragma once

// Segments of uneven lengths, by merge path: the elements and the ends of the segments are one
// path, of which each block, and in it each thread, takes an equal share (Merrill and Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016). However the lengths are,
// nobody has more to do than another.

#include <cstdint>

#include "ladder/gpu/detail/batch_kernels.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Elements of a tile that a thread takes; odd, so that neighbours read other banks. A tile has so
/// many steps of the path for each thread, so no more elements and no more ends.
template <class A>
inline constexpr unsigned segment_steps = sizeof(A) <= 4   ? 15
                                          : sizeof(A) <= 8 ? 7
                                                           : 3;
template <class A>
inline constexpr unsigned segment_tile = batch_block* segment_steps<A>;
/// The most tiles that a block takes, one behind the other.
inline constexpr unsigned most_segment_tiles = 511;

#pragma GCC visibility pop  // lambdas of others may hold these

/// Segments, as the caller has them.
template <class Offset>
struct Segments {
  const Offset* offsets;
  Index count, n;
};

/// What a share of the path leaves unfinished: a segment, and its value so far.
template <class A>
struct Carries {
  Index* segment;
  A* value;
};

#pragma GCC visibility push(hidden)

/// How many of the ascending `ends` lie before step `at` of the path, of which the elements before
/// `at` less so many are the rest.
template <class Offset>
__device__ Index ends_before(const Offset* ends, Index least, Index most, Index at) {
  while (least < most) {
    const Index middle = (least + most) / 2;
    if (Index(ends[middle]) <= at - middle - 1) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

/// The same by all lanes of a wave, which ask at once: few loads wait for each other.
template <class Offset>
__device__ Index ends_before_by_wave(const Offset* ends, Index least, Index most, Index at) {
  const Index lane = threadIdx.x % wave;
  while (least < most) {
    const Index span = most - least, probe = least + span * lane / Index{wave};
    unsigned before = Index(ends[probe]) <= at - probe - 1 ? 1 : 0;
    for (unsigned d = wave / 2; d > 0; d /= 2) before += lane_across(before, d);
    if (before < wave) most = least + span * before / Index{wave};
    if (before > 0) least += span * (before - 1) / Index{wave} + 1;
  }
  return least;
}

/// What a thread or a wave has behind the last end in its share, and whether there is an end.
template <class A>
struct Tail {
  Room<A> value;
  unsigned ends;
};

/// Combines what threads have behind their last end, in their order. Returns what comes from the
/// threads before into the calling one's first segment, `before` being what comes into the block's;
/// `behind` is then what the block leaves. `waves` has room for one of each wave, and nobody looks
/// there any more when all have met at a barrier.
template <class A, class Op>
__device__ A carried_in(unsigned ends, A tail, const A& before, A& behind, Tail<A>* waves, Op op) {
  const unsigned lane = threadIdx.x % wave, mine = threadIdx.x / wave;
  const auto below = [](const A& value, unsigned distance) {
    auto pieces = cut(value);
#pragma unroll
    for (unsigned p = 0; p < words_of<A>; ++p) pieces.at[p] = lane_below(pieces.at[p], distance);
    return joined<A>(pieces);
  };
#pragma unroll
  for (unsigned s = 1; s < wave; s *= 2) {
    const A value = below(tail, s);
    const unsigned some = lane_below(ends, s);
    if (lane >= s && ends == 0) {
      tail = op(value, tail);
      ends = some;
    }
  }
  if (lane == wave - 1) {
    waves[mine].value.value = tail;
    waves[mine].ends = ends;
  }
  const A last = below(tail, 1);
  const bool ended = lane_below(ends, 1) != 0;
  __syncthreads();
  A in = before;
  behind = before;
#pragma unroll
  for (unsigned k = 0; k < batch_block / wave; ++k) {
    if (k == mine) in = behind;  // what comes into this wave
    behind = waves[k].ends != 0 ? waves[k].value.value : op(behind, waves[k].value.value);
  }
  if (lane == 0) return in;
  return ended ? last : op(in, last);
}

/// The first segment that ends in a thread's share, held back until it is known what the threads
/// before have of it.
template <class A>
struct Held {
  bool any;
  Index segment;
  A value;
};

template <class In, class Offset, class A, class Op>
__global__ void __launch_bounds__(batch_block, (least_resident<batch_block, 8>))
    segments_by_merge_path(In x, Segments<Offset> all, Index tiles, Carries<A> carries,
                           Batch<A> batch, Op op, A identity) {
  constexpr unsigned steps = segment_steps<A>, tile_steps = segment_tile<A>;
  __shared__ __align__(16) unsigned char memory[tile_steps * sizeof(A)];
  __shared__ __align__(16) unsigned char totals[(batch_block / wave) * sizeof(Tail<A>)];
  __shared__ unsigned short marks[tile_steps];  // 1 + the segment that ends behind an element
  __shared__ bool carry_taken;
  __shared__ Index corner[most_segment_tiles + 1];  // segments before each tile of the block
  A* const values = reinterpret_cast<A*>(memory);
  auto* const waves = reinterpret_cast<Tail<A>*>(totals);
  const unsigned tid = threadIdx.x;
  const Offset* const end_of = all.offsets + 1;
  const Index total = all.n + all.count;
  const auto step_of = [&](Index tile) {
    const Index step = (Index{blockIdx.x} * tiles + tile) * tile_steps;
    return step < total ? step : total;
  };
  const auto in_range = [&](Index step, Index least, Index most, auto search) {
    if (least < step - all.n) least = step - all.n;
    if (most > step) most = step;
    return search(end_of, least, most, step);
  };
#pragma unroll
  for (unsigned k = 0; k < steps; ++k) marks[tid + k * batch_block] = 0;
  if (tid < 2 * wave) {
    const Index t = tid / wave * tiles;
    const Index found = in_range(step_of(t), 0, all.count, ends_before_by_wave<Offset>);
    if (tid % wave == 0) corner[t] = found;
  }
  __syncthreads();
  for (Index t = tid + 1; t < tiles; t += batch_block)
    corner[t] = in_range(step_of(t), corner[0], corner[tiles], ends_before<Offset>);
  __syncthreads();

  A carry = identity;  // of the segment that the block is in, the same in all threads
  A own = identity;    // what this thread has of it beside
  bool pending = false;
  const auto gather = [&] {  // `carry` and what all threads have of the segment
    A behind = identity;
    (void)carried_in(0U, own, carry, behind, waves, op);
    own = identity;
    pending = false;
    __syncthreads();
    return behind;
  };
  // A tile's elements, and where the first of its segments begin and end, are under way while the
  // tile before is worked on.
  Room<A> loaded[steps];
  Index my_begin = 0, my_end = 0;
  const auto fetch = [&](Index tile) {
    const Index first_end = corner[tile], first = step_of(tile) - first_end;
    const Index ends = corner[tile + 1] - first_end;
    const Index elements = step_of(tile + 1) - corner[tile + 1] - first;
    const In from = advanced(x, first);
#pragma unroll
    for (unsigned k = 0; k < steps; ++k)
      if (tid + k * batch_block < elements) loaded[k].value = cast<A>(from[tid + k * batch_block]);
    if (tid < ends) {
      my_end = Index(end_of[first_end + tid]);
      if (tid > 0) my_begin = Index(end_of[first_end + tid - 1]);
    }
  };
  if (step_of(0) < total) fetch(0);
#pragma unroll 1
  for (Index tile = 0; tile < tiles && step_of(tile) < total; ++tile) {
    const Index first_end = corner[tile], first = step_of(tile) - first_end;
    const auto ends = static_cast<unsigned>(corner[tile + 1] - first_end);
    const auto elements = static_cast<unsigned>(step_of(tile + 1) - corner[tile + 1] - first);
    const bool more = tile + 1 < tiles && step_of(tile + 1) < total;
    if (ends == 0) {  // all of one segment
      pending = true;
#pragma unroll
      for (unsigned k = 0; k < steps; ++k)
        if (tid + k * batch_block < elements) own = op(own, loaded[k].value);
      if (more) fetch(tile + 1);
      continue;
    }
    if (pending) carry = gather();
#pragma unroll
    for (unsigned k = 0; k < steps; ++k)
      if (tid + k * batch_block < elements) values[tid + k * batch_block] = loaded[k].value;
    // Of segments that end at the same place the first has elements, or what was carried here.
    for (unsigned i = tid; i < ends; i += batch_block) {
      const Index segment = first_end + i;
      const Index begin = i < batch_block ? my_begin : Index(end_of[segment - 1]);
      const Index end = i < batch_block ? my_end : Index(end_of[segment]);
      if (i > 0 && begin == end) {
        batch.result[segment] = identity;
      } else if (end > first) {
        marks[static_cast<unsigned>(end - first) - 1] = static_cast<unsigned short>(i + 1);
      } else {
        batch.result[segment] = carry;  // ends before the first element
      }
      if (i == 0) carry_taken = end <= first;
    }
    __syncthreads();
    if (more) fetch(tile + 1);
    if (carry_taken) carry = identity;

    // What a thread takes is loaded before it is looked at, and what is not there counts nothing.
    const unsigned begin = tid * steps;
    Room<A> some[steps];
    unsigned bits = 0;  // one behind each element that a segment ends with
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
      some[k].value = begin + k < elements ? values[begin + k] : identity;
      if (marks[begin + k] != 0) bits |= 1U << k;
    }
    A mine = identity;
    Held<A> held{false, 0, identity};
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
      mine = op(mine, some[k].value);
      if ((bits >> k & 1) == 0) continue;
      const Index segment = first_end + marks[begin + k] - 1;
      marks[begin + k] = 0;
      if (held.any) {
        batch.result[segment] = mine;
      } else {
        held.any = true;
        held.segment = segment;
        held.value = mine;
      }
      mine = identity;
    }
    A behind = identity;
    const A in = carried_in(held.any ? 1U : 0U, mine, carry, behind, waves, op);
    if (held.any) batch.result[held.segment] = op(in, held.value);
    carry = behind;
  }
  if (pending) carry = gather();
  if (gridDim.x == 1) return;

  // The last block to finish hands what shares have left over to the segments, in their order.
  if (tid == 0) {
    carries.segment[blockIdx.x] = corner[tiles];
    carries.value[blockIdx.x] = carry;
  }
  if (!is_last_of(batch.tickets, gridDim.x)) return;
  const unsigned each = (gridDim.x + batch_block - 1) / batch_block;
  const unsigned begin = tid * each < gridDim.x ? tid * each : gridDim.x;
  const unsigned stop = begin + each < gridDim.x ? begin + each : gridDim.x;
  A mine = identity;
  Held<A> held{false, 0, identity};
  for (unsigned b = begin; b < stop; ++b) {
    mine = op(mine, carries.value[b]);
    const Index segment = carries.segment[b];
    if (b + 1 < gridDim.x && carries.segment[b + 1] == segment) continue;
    if (held.any) {
      if (segment < all.count) batch.result[segment] = op(mine, batch.result[segment]);
    } else {
      held.any = true;
      held.segment = segment;
      held.value = mine;
    }
    mine = identity;
  }
  A behind = identity;
  const A in = carried_in(held.any ? 1U : 0U, mine, identity, behind, waves, op);
  if (held.any && held.segment < all.count)
    batch.result[held.segment] = op(op(in, held.value), batch.result[held.segment]);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
