#pragma once

// Segments of uneven lengths by merge path: elements and segment ends form one path, of which each
// block takes an equal share (Merrill and Garland, "Merge-based parallel sparse matrix-vector
// multiplication", SC 2016). A block processes its elements in tiles with an equal number per
// thread. So the load is balanced for any lengths.

#include <cstdint>

#include "ladder/gpu/detail/batch_kernels.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Elements per thread and tile; odd, to avoid bank conflicts.
template <class A>
inline constexpr unsigned segment_elements = sizeof(A) <= 4   ? 15
                                             : sizeof(A) <= 8 ? 7
                                                              : 3;
template <class A>
inline constexpr unsigned segment_tile = batch_block* segment_elements<A>;
/// Maximum steps per block, so that 32 bits can count them.
inline constexpr Index most_of_share = Index{1} << 30;
/// Resident blocks per SM of the segment kernel: what threads and registers allow.
template <class A>
inline constexpr unsigned segment_blocks = (sizeof(A) > 4 ? 4 : 5) < least_resident<batch_block, 1>
                                               ? (sizeof(A) > 4 ? 4 : 5)
                                               : least_resident<batch_block, 1>;

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

/// Carry of each block: the segment left unfinished, and its value so far.
template <class A>
struct Carries {
  Index* segment;
  A* value;
};

#pragma GCC visibility push(hidden)

/// Binary search on the merge path: the number of ascending `ends` before step `at`, in [least,
/// most]. All lanes of a wave probe at once, which leaves few dependent loads.
template <class Offset>
__device__ Index ends_before(const Offset* ends, Index least, Index most, Index at) {
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

/// Value of a wave's elements after its last segment end; `ends` has a bit per thread with a
/// segment end.
template <class A>
struct Tail {
  Room<A> value;
  Lanes ends;
};

/// True if a lane below `lane` has a segment end.
__device__ inline bool ended_before(Lanes ends, unsigned lane) {
  return (ends & ((Lanes{1} << lane) - 1)) != 0;
}

/// Segmented scan over each wave; `tail` is the thread's value after its last segment end. Returns
/// the carry from lower lanes into the calling thread, `identity` for the first lane. Stores the
/// tail of each wave in `waves`; all threads may read it after a barrier.
template <class A, class Op>
__device__ A before_in_wave(bool ends, A tail, Tail<A>* waves, Op op, A identity) {
  const unsigned lane = threadIdx.x % wave;
  const auto below = [](const A& value, unsigned distance) {
    auto pieces = cut(value);
#pragma unroll
    for (unsigned p = 0; p < words_of<A>; ++p) pieces.at[p] = lane_below(pieces.at[p], distance);
    return joined<A>(pieces);
  };
  const Lanes all = lanes_with(ends);
  // Distance down to the nearest thread with a segment end, or to the first lane.
  const Lanes up_to_mine = all & ((Lanes{2} << lane) - 1);
  const unsigned reach = up_to_mine == 0 ? lane : lane - highest_lane(up_to_mine);
#pragma unroll
  for (unsigned s = 1; s < wave; s *= 2) {
    const A value = below(tail, s);
    if (s <= reach) tail = op(value, tail);
  }
  if (lane == wave - 1) {
    waves[threadIdx.x / wave].value.value = tail;
    waves[threadIdx.x / wave].ends = all;
  }
  const A before = below(tail, 1);
  return lane == 0 ? identity : before;
}

/// Returns the carry into wave `which`; `before` is the carry into the block. Sets `carry_out` to
/// the carry out of the block.
template <class A, class Op>
__device__ A into_wave(unsigned which, const A& before, A& carry_out, const Tail<A>* waves, Op op) {
  A in = before;
  carry_out = before;
#pragma unroll
  for (unsigned k = 0; k < batch_block / wave; ++k) {
    if (k == which) in = carry_out;
    carry_out = waves[k].ends != 0 ? waves[k].value.value : op(carry_out, waves[k].value.value);
  }
  return in;
}

/// Returns the carry into the calling thread; `before` is the carry into the block. Sets
/// `carry_out` to the carry out of the block. All threads must call it.
template <class A, class Op>
__device__ A carried_in(bool ends, const A& tail, const A& before, A& carry_out, Tail<A>* waves,
                        Op op, A identity) {
  const A from_wave = before_in_wave(ends, tail, waves, op, identity);
  __syncthreads();
  const unsigned mine = threadIdx.x / wave;
  const A in = into_wave(mine, before, carry_out, waves, op);
  return ended_before(waves[mine].ends, threadIdx.x % wave) ? from_wave : op(in, from_wave);
}

/// True if elements are copied to shared memory unconverted, 16 bytes at a time.
template <class In, class A>
inline constexpr bool copied_as_they_are =
    std::is_pointer_v<In>&& Access<In>::width > 1 && !is_underaligned<In> &&
    sizeof(typename Access<In>::element) <= sizeof(A);

/// A block's elements in cache-line-aligned tiles, double-buffered in shared memory. A place is an
/// element index within a tile.
template <class In, class A, bool as_they_are = copied_as_they_are<In, A>>
struct Tiles {
  using S = typename Access<In>::element;
  static constexpr unsigned width = Access<In>::width, most = segment_tile<A>;
  static constexpr std::size_t bytes = 2 * most * sizeof(S);

  /// Place of x[first] in the first tile.
  __device__ static unsigned place_of(In x, Index first) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x + first) % 128 / sizeof(S));
  }
  /// Starts to fetch the places [low, high) of the tile at x[begin]; `x` has `n` elements.
  __device__ static void fetch(S* tile, In x, Index n, Index begin, unsigned low, unsigned high) {
    if (begin >= 0 && begin + most <= n) {
      constexpr unsigned apart = batch_block * width;
      const unsigned mine = threadIdx.x * width;
      const SharedAddress to = shared_address(tile + mine);
      const In from = x + begin + mine;
#pragma unroll
      for (unsigned k = 0; k <= (most - 1) / apart; ++k)
        begin_copy(to + k * apart * sizeof(S), from + k * apart, mine + k * apart < high);
    } else {  // reads no element outside the input
      for (unsigned i = low + threadIdx.x; i < high; i += batch_block) tile[i] = x[begin + i];
    }
  }
};
template <class In, class A>
struct Tiles<In, A, false> {
  using S = A;
  static constexpr unsigned most = segment_tile<A>;
  static constexpr std::size_t bytes = 2 * most * sizeof(A);

  __device__ static unsigned place_of(const In&, Index) { return 0; }
  __device__ static void fetch(A* tile, const In& x, Index, Index begin, unsigned, unsigned high) {
    const In from = advanced(x, begin);
    Room<A> loaded[segment_elements<A>];
#pragma unroll
    for (unsigned k = 0; k < segment_elements<A>; ++k)
      if (threadIdx.x + k * batch_block < high)
        loaded[k].value = cast<A>(from[threadIdx.x + k * batch_block]);
#pragma unroll
    for (unsigned k = 0; k < segment_elements<A>; ++k)
      if (threadIdx.x + k * batch_block < high)
        tile[threadIdx.x + k * batch_block] = loaded[k].value;
  }
};

/// The first segment that ends in a thread's carries; deferred until the carry from lower threads
/// is known.
template <class A>
struct Held {
  bool any;
  Index segment;
  A value;
};

/// Adds the blocks' carries to the segments' results, in block order. All threads of the last block
/// to finish must call it.
template <class A, class Op>
__device__ void hand_over(const Carries<A>& carries, Index segments, A* result, Tail<A>* waves,
                          Op op, A identity) {
  const unsigned each = (gridDim.x + batch_block - 1) / batch_block;
  const unsigned begin = threadIdx.x * each < gridDim.x ? threadIdx.x * each : gridDim.x;
  const unsigned end = begin + each < gridDim.x ? begin + each : gridDim.x;
  A mine = identity;
  Held<A> held{false, 0, identity};
  for (unsigned b = begin; b < end; ++b) {
    mine = op(mine, carries.value[b]);
    const Index segment = carries.segment[b];
    if (b + 1 < gridDim.x && carries.segment[b + 1] == segment) continue;
    if (held.any) {
      if (segment < segments) result[segment] = op(mine, result[segment]);
    } else {
      held.any = true;
      held.segment = segment;
      held.value = mine;
    }
    mine = identity;
  }
  A carry_out = identity;
  const A in = carried_in(held.any, mine, identity, carry_out, waves, op, identity);
  if (held.any && held.segment < segments)
    result[held.segment] = op(op(in, held.value), result[held.segment]);
}

/// Each block takes `share` steps of the merge path.
template <class In, class Offset, class A, class Op>
__global__ void __launch_bounds__(batch_block, (segment_blocks<A>))
    segments_by_merge_path(In x, Segments<Offset> all, unsigned share, Carries<A> carries,
                           Batch<A> batch, Op op, A identity) {
  using Elements = Tiles<In, A>;
  using S = typename Elements::S;
  constexpr unsigned each = segment_elements<A>, in_tile = segment_tile<A>;
  constexpr unsigned flag_words = (in_tile + 31) / 32 + 1;
  constexpr bool in_place = std::is_same_v<S, A>;  // sums overwrite elements
  __shared__ __align__(16) unsigned char of_tiles[Elements::bytes];
  __shared__ __align__(16) unsigned char of_sums[in_place ? 16 : in_tile * sizeof(A)];
  __shared__ __align__(16) unsigned char of_waves[(batch_block / wave) * sizeof(Tail<A>)];
  __shared__ __align__(16) unsigned char of_threads[batch_block * sizeof(A)];
  __shared__ unsigned flags[2][flag_words];  // one bit per place after which a segment ends
  __shared__ bool carry_taken[2];            // a segment ends before the tile's first element
  __shared__ Index corner[2];  // segments that end before this block and before the next
  auto* const waves = reinterpret_cast<Tail<A>*>(of_waves);
  A* const into = reinterpret_cast<A*>(of_threads);  // carry into each thread from its wave
  const unsigned tid = threadIdx.x;
  const auto step_of = [&](unsigned block) {
    const Index step = Index{block} * share, total = all.n + all.count;
    return step < total ? step : total;
  };
  for (unsigned i = tid; i < 2 * flag_words; i += batch_block) flags[0][i] = 0;
  if (tid < 2 * wave) {
    const Index step = step_of(blockIdx.x + tid / wave);
    const Index ends = ends_before(all.offsets + 1, step > all.n ? step - all.n : 0,
                                   step < all.count ? step : all.count, step);
    if (tid % wave == 0) corner[tid / wave] = ends;
  }
  __syncthreads();
  // First element and segment of the block; counted from there.
  const Index first = step_of(blockIdx.x) - corner[0];
  const unsigned first_place = Elements::place_of(x, first);
  const Index begin = first - first_place;
  const auto last_place = static_cast<unsigned>(step_of(blockIdx.x + 1) - corner[1] - begin);
  const auto segments = static_cast<unsigned>(corner[1] - corner[0]);
  const Offset* const offsets = all.offsets + corner[0];
  A* const results = batch.result + corner[0];

  A carry = identity;  // value so far of the block's current segment, equal in all threads
  A own = identity;    // this thread's further elements of it
  bool pending = false;
  const auto gather = [&] {  // combines `carry` with all threads' `own`
    A carry_out = identity;
    (void)carried_in(false, own, carry, carry_out, waves, op, identity);
    own = identity;
    pending = false;
    __syncthreads();
    return carry_out;
  };
  // The next tile's elements, and the next segments, are in flight while a tile is processed.
  const auto tile_at = [&](unsigned tile) {
    return reinterpret_cast<S*>(of_tiles) + tile % 2 * in_tile;
  };
  const auto high_of = [&](unsigned tile) {
    const unsigned left = last_place - tile * in_tile;
    return left < in_tile ? left : in_tile;
  };
  Index my_begin = 0, my_end = 0;
  const auto fetch_segments = [&](unsigned segment) {
    const bool there = segment + tid < segments;
    my_begin = there ? Index(offsets[segment + tid]) : 0;
    my_end = there ? Index(offsets[segment + tid + 1]) : all.n + 1;
  };
  Elements::fetch(tile_at(0), x, all.n, begin, first_place, high_of(0));
  fetch_segments(0);
  unsigned segment = 0;
  unsigned turn = 0;  // index of the current tile's flags
#pragma unroll 1
  for (unsigned tile = 0; tile == 0 || tile * in_tile < last_place; ++tile) {
    const unsigned low = tile == 0 ? first_place : 0, high = high_of(tile);
    S* const values = tile_at(tile);
    unsigned* const flag = flags[turn];
    // A segment covers the places [from, to). Of segments with equal ends, the first has the
    // elements.
    const Index tile_begin = begin + tile * in_tile;
    const auto place = [tile_begin, low](Index at) {
      return at > tile_begin + low ? static_cast<unsigned>(at - tile_begin) : low;
    };
    const auto mark = [&](unsigned from, unsigned to) {
      if (to > from) atomicOr(&flag[(to - 1) / 32], 1U << (to - 1) % 32);
    };
    const bool mine_ends = my_end <= tile_begin + high;
    const unsigned my_from = place(my_begin), my_to = place(my_end);
    if (mine_ends) mark(my_from, my_to);
    if (tid == 0) carry_taken[turn] = mine_ends && my_to == low;
    wait_for_copies();
    unsigned ends = barrier_count(mine_ends);
    for (unsigned more = ends; more == batch_block; ends += more) {
      const unsigned i = segment + ends + tid;
      const bool ends_here = i < segments && Index(offsets[i + 1]) <= tile_begin + high;
      if (ends_here) mark(place(offsets[i]), place(offsets[i + 1]));
      more = barrier_count(ends_here);
    }
    if ((tile + 1) * in_tile < last_place)
      Elements::fetch(tile_at(tile + 1), x, all.n, tile_begin + in_tile, 0, high_of(tile + 1));
    const unsigned first_segment = segment;
    segment += ends;
    fetch_segments(segment);
    if (ends == 0) {  // the tile is inside one segment
      pending = true;
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        const unsigned at = tid + k * batch_block;
        if (at >= low && at < high) own = op(own, cast<A>(values[at]));
      }
      continue;
    }
    if (pending) carry = gather();
    for (unsigned i = tid; i < flag_words; i += batch_block) flags[1 - turn][i] = 0;

    // The calling thread's places. At each segment end, the sum since the thread's first place or
    // previous end stays.
    A* sums;
    if constexpr (in_place) {
      sums = values;
    } else {
      sums = reinterpret_cast<A*>(of_sums);
    }
    const unsigned mine_at = tid * each;
    const auto two = static_cast<std::uint64_t>(flag[mine_at / 32 + 1]) << 32 | flag[mine_at / 32];
    const auto bits = static_cast<unsigned>(two >> mine_at % 32) & ((1U << each) - 1);
    A mine = identity;
    const auto walk_along = [&](auto is_there) {
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        if (is_there(k)) mine = op(mine, cast<A>(values[mine_at + k]));
        if ((bits >> k & 1) != 0) {
          sums[mine_at + k] = mine;
          mine = identity;
        }
      }
    };
    if (mine_at >= low && mine_at + each <= high) {
      walk_along([](unsigned) { return true; });
    } else {
      walk_along([&](unsigned k) { return mine_at + k >= low && mine_at + k < high; });
    }
    into[tid] = before_in_wave(bits != 0, mine, waves, op, identity);
    const A before = carry_taken[turn] ? identity : carry;
    __syncthreads();
    const auto write = [&](unsigned i, unsigned from, unsigned to) {
      A value = identity;
      if (i == 0 && to == low) {
        value = carry;  // ends before the first element
      } else if (to > from) {
        const unsigned owner = (to - 1) / each;
        value = sums[to - 1];
        if (i == 0 || from < owner * each) {
          A carry_out = identity, in = into[owner];
          const unsigned of_wave = owner / wave;
          if (!ended_before(waves[of_wave].ends, owner % wave))
            in = op(into_wave(of_wave, before, carry_out, waves, op), in);
          value = op(in, value);
        }
      }
      results[first_segment + i] = value;
    };
    if (mine_ends) write(tid, my_from, my_to);
    for (unsigned i = tid + batch_block; i < ends; i += batch_block)
      write(i, place(offsets[first_segment + i]), place(offsets[first_segment + i + 1]));
    A carry_out = identity;
    (void)into_wave(0, before, carry_out, waves, op);
    carry = carry_out;
    turn = 1 - turn;
  }
  __syncthreads();
  if (pending) carry = gather();
  if (gridDim.x == 1) return;

  if (tid == 0) {
    carries.segment[blockIdx.x] = corner[1];
    carries.value[blockIdx.x] = carry;
  }
  if (is_last_of(batch.tickets, gridDim.x))
    hand_over(carries, all.count, batch.result, waves, op, identity);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
