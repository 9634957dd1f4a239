#pragma once

// Segments of uneven lengths, by merge path: the elements and the ends of the segments are one
// path, of which each block, and in it each thread, takes an equal share (Merrill and Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016). However the lengths are,
// nobody has more to do than another.

#include <cstdint>

#include "ladder/gpu/detail/batch_kernels.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Steps of the path that a thread takes of a tile; odd, so that neighbours read other banks.
template <class A>
inline constexpr unsigned segment_steps = sizeof(A) <= 4 ? 15 : sizeof(A) <= 8 ? 7 : 3;
template <class A>
inline constexpr unsigned segment_tile = batch_block * segment_steps<A>;
/// The most tiles that a block takes, one behind the other.
inline constexpr unsigned most_segment_tiles = 511;

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

/// How many of the `count` ascending `ends` lie before step `at` of the path, of which the elements
/// before `at` less so many are the rest.
template <class End>
__device__ Index ends_before(const End* ends, Index least, Index most, Index at) {
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

/// Combines what threads have behind their last end, in their order. Each has a `tail`, and says
/// whether a segment `ends` in its share. Returns what comes from the threads before it into its
/// first segment, `before` being what comes into the block's; `behind` is then what the block
/// leaves. `values` and `flags` have room for two of each thread.
template <class A, class Op>
__device__ A carried_in(bool ends, A tail, const A& before, A& behind, A* values, bool* flags,
                        Op op) {
  const unsigned tid = threadIdx.x;
  if (tid == 0 && !ends) tail = op(before, tail);
  unsigned from = 0;
  for (unsigned s = 1; s < batch_block; s *= 2) {
    values[from + tid] = tail;
    flags[from + tid] = ends;
    __syncthreads();
    if (tid >= s && !ends) {
      tail = op(values[from + tid - s], tail);
      ends = flags[from + tid - s];
    }
    from = batch_block - from;
  }
  values[from + tid] = tail;
  __syncthreads();
  behind = values[from + batch_block - 1];
  const A in = tid == 0 ? before : values[from + tid - 1];
  __syncthreads();
  return in;
}

/// A thread's walk along its share: `finish` is called at each end, `take` adds an element. The
/// first segment that ends is held back until what the threads before have of it is known.
template <class A>
struct Held {
  bool any = false;
  Index segment = 0;
  Room<A> value;
};

template <class In, class Offset, class A, class Op>
__global__ void __launch_bounds__(batch_block)
    segments_by_merge_path(In x, Segments<Offset> all, Index tiles, Carries<A> carries,
                           Batch<A> batch, Op op, A identity) {
  constexpr unsigned steps_each = segment_steps<A>, tile_steps = segment_tile<A>;
  __shared__ __align__(16) unsigned char memory[tile_steps * sizeof(A)];
  __shared__ __align__(16) unsigned char scanned[2 * batch_block * sizeof(A)];
  __shared__ bool flags[2 * batch_block];
  __shared__ int ends[tile_steps + 1];
  __shared__ Index corner[most_segment_tiles + 1];  // segments before each tile of the block
  A* const values = reinterpret_cast<A*>(memory);
  A* const scan = reinterpret_cast<A*>(scanned);
  const unsigned tid = threadIdx.x;
  const Offset* const end_of = all.offsets + 1;
  const Index total = all.n + all.count;
  const auto step_of = [&](Index tile) {
    const Index step = (Index{blockIdx.x} * tiles + tile) * tile_steps;
    return step < total ? step : total;
  };
  const auto search = [&](Index step, Index least, Index most) {
    if (least < step - all.n) least = step - all.n;
    if (most > step) most = step;
    return ends_before(end_of, least, most, step);
  };
  if (tid < 2) corner[tid * tiles] = search(step_of(tid * tiles), 0, all.count);
  __syncthreads();
  for (Index t = tid + 1; t < tiles; t += batch_block)
    corner[t] = search(step_of(t), corner[0], corner[tiles]);
  __syncthreads();

  A carry = identity;  // of the segment that the block is in, the same in all threads
  A own = identity;    // what this thread has of it beside
  bool pending = false;
  const auto gather = [&] {  // makes `carry` of what all have
    A behind = identity;
    (void)carried_in(false, own, carry, behind, scan, flags, op);
    carry = behind;
    own = identity;
    pending = false;
  };
#pragma unroll 1
  for (Index tile = 0; tile < tiles && step_of(tile) < total; ++tile) {
    const Index first_end = corner[tile], first = step_of(tile) - first_end;
    const auto those_ends = static_cast<unsigned>(corner[tile + 1] - first_end);
    const auto elements = static_cast<unsigned>(step_of(tile + 1) - corner[tile + 1] - first);
    const In from = advanced(x, first);
    if (those_ends == 0) {  // all of one segment
      pending = true;
#pragma unroll
      for (unsigned k = 0; k < steps_each; ++k)
        if (tid + k * batch_block < elements) own = op(own, cast<A>(from[tid + k * batch_block]));
      continue;
    }
    if (pending) gather();
    Room<A> loaded[steps_each];
#pragma unroll
    for (unsigned k = 0; k < steps_each; ++k)
      if (tid + k * batch_block < elements) loaded[k].value = cast<A>(from[tid + k * batch_block]);
    for (unsigned i = tid; i < those_ends; i += batch_block)
      ends[i] = static_cast<int>(Index(end_of[first_end + i]) - first);
    if (tid == 0) ends[those_ends] = tile_steps + 1;
#pragma unroll
    for (unsigned k = 0; k < steps_each; ++k)
      if (tid + k * batch_block < elements) values[tid + k * batch_block] = loaded[k].value;
    __syncthreads();

    const unsigned steps = elements + those_ends, start = tid * steps_each;
    const unsigned begin = start < steps ? start : steps;
    const unsigned stop = begin + steps_each < steps ? begin + steps_each : steps;
    const Index least = begin > elements ? begin - elements : 0;
    auto end = static_cast<unsigned>(
        ends_before(ends, least, begin < those_ends ? begin : those_ends, begin));
    unsigned at = begin - end;
    A mine = identity;
    Held<A> held;
    for (unsigned step = begin; step < stop; ++step) {
      if (static_cast<int>(at) < ends[end]) {
        mine = op(mine, values[at]);
        ++at;
      } else {
        if (held.any) {
          batch.result[first_end + end] = mine;
        } else {
          held.any = true;
          held.segment = first_end + end;
          held.value.value = mine;
        }
        mine = identity;
        ++end;
      }
    }
    A behind = identity;
    const A in = carried_in(held.any, mine, carry, behind, scan, flags, op);
    if (held.any) batch.result[held.segment] = op(in, held.value.value);
    carry = behind;
  }
  if (pending) gather();
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
  Held<A> held;
  for (unsigned b = begin; b < stop; ++b) {
    mine = op(mine, carries.value[b]);
    const Index segment = carries.segment[b];
    if (b + 1 < gridDim.x && carries.segment[b + 1] == segment) continue;
    if (held.any) {
      if (segment < all.count) batch.result[segment] = op(mine, batch.result[segment]);
    } else {
      held.any = true;
      held.segment = segment;
      held.value.value = mine;
    }
    mine = identity;
  }
  A behind = identity;
  const A in = carried_in(held.any, mine, identity, behind, scan, flags, op);
  if (held.any && held.segment < all.count)
    batch.result[held.segment] = op(op(in, held.value.value), batch.result[held.segment]);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
