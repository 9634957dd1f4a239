#pragma once

// Segments of uneven lengths by merge path: elements and segment ends form one path, of which each
// wave takes an equal share (Merrill and Garland, "Merge-based parallel sparse matrix-vector
// multiplication", SC 2016). An element is one step of the path. A segment end is several, because
// it takes more time. So the load is balanced for any lengths. A wave reads its elements in tiles,
// and waits for other waves only at its end.

#include <cstdint>

#include "ladder/gpu/detail/segment_tiles.hpp"
#include "ladder/gpu/detail/segmented_scan.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// What the L2 cache need not keep. Visible: callers' lambdas may hold it.
struct Hints {
  bool elements_once, offsets_once;
};

#pragma GCC visibility push(hidden)
/// A wave takes `share` steps of the merge path: its tiles one after another.
template <class In, class Offset, class A, class Op>
__global__ void __launch_bounds__((segment_block<In, A>), (segment_blocks<A>))
    segments_by_merge_path(In x, Segments<Offset> all, unsigned share, Hints hints,
                           Carries<A> carries, Batch<A> batch, Op op, A identity) {
  constexpr unsigned block = segment_block<In, A>, wave_count = segment_waves<In, A>;
  constexpr int width = Access<In>::width, each = segment_elements<In, A>;
  constexpr unsigned loads = segment_elements<In, A> / Access<In>::width;
  constexpr int pitch = segment_pitch<In, A>, places = segment_tile<In, A>;
  constexpr int flag_words = (places + 31) / 32, lanes = wave;
  __shared__ __align__(16) unsigned char of_sums[block * pitch * sizeof(A)];
  __shared__ __align__(16) unsigned char of_waves[wave_count * sizeof(Tail<A>)];
  __shared__ unsigned of_flags[wave_count * flag_words];
  __shared__ Index begun[wave_count], open[wave_count];  // each wave's first, last segment
  const int lane = static_cast<int>(threadIdx.x % wave);
  const unsigned me = threadIdx.x / wave;
  auto* const waves = reinterpret_cast<Tail<A>*>(of_waves);
  // This wave's tile: its elements, and in place of each segment's last one the segment's sum. A
  // flag is a bit per place after which a segment ends.
  A* const sums = reinterpret_cast<A*>(of_sums) + me * wave * pitch;
  unsigned* const flags = of_flags + me * flag_words;

  const Index total = all.n + end_steps * all.count;
  const Index asked = (Index{blockIdx.x} * wave_count + me) * share;
  const Index step = asked < total ? asked : total;
  const int steps = to_int(total - step < share ? total - step : share);
  const Index first_segment =
      ends_before(all.offsets + 1, step > all.n ? (step - all.n) / end_steps : 0,
                  smaller(step / end_steps, all.count), step);
  if (lane == 0) begun[me] = first_segment;
  // A step within those of a segment end has this end's element position.
  const Index first_end = first_segment < all.count ? Index(all.offsets[first_segment + 1]) : all.n;
  const Index begin = smaller(step - end_steps * first_segment, first_end);
  // From here on segments count from the wave's first one, and elements from the begin of the cache
  // line of the wave's first one.
  int low = 0;  // the wave's first place in the tile
  if constexpr (width > 1)
    low = static_cast<int>(reinterpret_cast<std::uintptr_t>(x + begin) % 128 / sizeof(*x));
  const Index base = begin - low;
  const In input = x + base;
  const Offset* const offsets = all.offsets + first_segment;
  A* const results = batch.result + first_segment;
  const int elements = to_int(all.n - base), segments = to_int(all.count - first_segment);
  // The wave's steps end where element + end_steps * segment is `stop`.
  const auto stop = static_cast<int>(step + steps - end_steps * first_segment - base);
  // Where segment s ends, given its offset.
  const auto end_of = [&](int s, Index at) {
    return s < segments ? to_int(at - base) : most_of_share;
  };
  Index offset = 0;  // where segment `segment` + lane ends; used a tile later, when it has arrived
  const auto find = [&](int s) {
    if (s < segments)
      offset = Index(hints.offsets_once ? load_once(offsets + s + 1) : offsets[s + 1]);
  };
  find(lane);

  // In a register: the constant bank would delay each element after a segment end.
  const A none = from_last_lane(identity);
  A carry = none;  // value so far of the current segment, equal in all lanes
  A own = none;    // this lane's further elements of it, if `pending`
  bool pending = false;
  int segment = 0;
  bool goes_on = steps > 0;
  // The next tile's loads are in flight while a tile in shared memory is worked on.
  Loaded<In, A> loaded[loads];
  bool whole = false;
  const auto load = [&](int tile) {
    whole = base + tile >= 0 && tile + places <= elements;
    if (!whole) return;
#pragma unroll
    for (unsigned k = 0; k < loads; ++k)
      loaded[k].load(input + Index{tile}, threadIdx.x % wave + k * wave, hints.elements_once);
  };
  load(0);
#pragma unroll 1
  for (int tile = 0; goes_on; tile += places, low = 0) {
    // True if an end is in the tile, and all its steps are the wave's.
    const auto ends_here = [&](int s, int end) {
      return end <= tile + places && end + end_steps * (s + 1) <= stop;
    };
    const int my_end = end_of(segment + lane, offset);
    const bool mine_ends = ends_here(segment + lane, my_end);
    Lanes ended = lanes_with(mine_ends);
    if (lanes_with(my_end <= tile + places) == 0 && whole && low == 0 &&
        tile + places + end_steps * segment <= stop) {
#pragma unroll
      for (unsigned k = 0; k < loads; ++k) own = op(own, reduce_detail::value_of(loaded[k], op));
      pending = true;
      goes_on = tile + places + end_steps * segment < stop;
      if (goes_on) load(tile + places);
      continue;
    }

    // Sets the flags, and counts the segments that end in the tile. A segment begins where the one
    // before it ends; the first one goes on, or begins with the tile.
    for (int i = lane; i < flag_words; i += lanes) flags[i] = 0;
    sync_wave();
    const auto place = [tile, low](int at) { return at - tile > low ? at - tile : low; };
    const auto mark = [&](int after, int to) {
      if (to > after) atomicOr(&flags[(to - 1) / 32], 1U << (to - 1) % 32);
    };
    const int my_to = place(my_end), below = from_lane_below(my_to, 1);
    const int my_from = lane == 0 ? low : below;
    if (mine_ends) mark(my_from, my_to);
    const bool carry_is_taken = lanes_with(lane == 0 && mine_ends && my_to == low) != 0;
    int ends = 0, next_end = my_end;  // ends in the tile, and the end after them
    for (int to = my_to;;) {
      const unsigned some = ended == 0 ? 0 : highest_lane(ended) + 1;
      ends += static_cast<int>(some);
      find(segment + ends + lane);  // also for the next tile
      if (some < wave) {
        next_end = static_cast<int>(of_lane(static_cast<unsigned>(next_end), some));
        break;
      }
      const int before = from_last_lane(to), end = end_of(segment + ends + lane, offset);
      to = place(end);
      const int lower = from_lane_below(to, 1);
      const bool is_here = ends_here(segment + ends + lane, end);
      if (is_here) mark(lane == 0 ? before : lower, to);
      ended = lanes_with(is_here);
      next_end = end;
    }
    // Place at which the wave's elements end.
    const int last = smaller(stop - end_steps * (segment + ends), next_end) - tile;
    const int high = last < places ? last : places;
    goes_on = last > places;
    if (pending) carry = op(carry, combined_in_wave(own, op));
    if (pending) own = none;
    pending = false;
    const A into = carry_is_taken ? none : carry;

    if (whole) {
      reduce_detail::stage(loaded, sums);
    } else {  // reads no element outside the input
#pragma unroll 1
      for (int i = lane; i < places; i += lanes)
        if (i >= low && tile + i < elements)
          sums[place_in_shared<In, A>(i)] = reduce_detail::cast<A>((input + Index{tile})[i]);
    }
    if (goes_on) load(tile + places);
    sync_wave();

    // A lane takes `each` adjacent places.
    const int first = lane * each;
    const unsigned bits = flags[first / 32] >> first % 32 & ((2U << (each - 1)) - 1);
    A* const own_sums = sums + lane * pitch;
    A mine = none;
    Room<A> values[4];
    const auto walk = [&](auto is_there) {
#pragma unroll
      for (int k = 0; k < each; ++k) {
        if (k % 4 == 0) copy_from_shared<segment_pitch<In, A>>(values, own_sums + k);
        if (is_there(first + k)) mine = op(mine, values[k % 4].value);
        if ((bits >> k & 1) != 0) {
          own_sums[k] = mine;
          mine = none;
        }
      }
    };
    if (low == 0 && high == places) {
      walk([](int) { return true; });
    } else {
      walk([&](int i) { return i >= low && i < high; });
    }
    Lanes with_ends = 0;
    A before = before_in_wave(bits != 0, mine, with_ends, op, none);
    if (!ended_before(with_ends, threadIdx.x % wave)) before = op(into, before);
    if (bits != 0) {
      A* const sum = own_sums + highest_lane(bits & (0U - bits));  // the lane's first end
      *sum = op(before, *sum);
    }
    sync_wave();

    const auto write = [&](int i, int after, int to) {
      const A empty = i == 0 && to == low ? carry : none;  // or ended before the tile's elements
      results[segment + i] = to > after ? sums[place_in_shared<In, A>(to - 1)] : empty;
    };
    if (mine_ends) write(lane, my_from, my_to);
#pragma unroll 1
    for (int i = lane + lanes; i < ends; i += lanes)
      write(i, place(static_cast<int>(Index(offsets[segment + i]) - base)),
            place(static_cast<int>(Index(offsets[segment + i + 1]) - base)));
    const A since = from_last_lane(mine);
    carry = with_ends != 0 ? since : op(into, since);
    segment += ends;
  }
  carry = op(carry, combined_in_wave(own, op));

  if (lane == 0) {
    open[me] = first_segment + segment;
    waves[me].value.value = carry;
  }
  __syncthreads();
  if (me == 0) join_waves<block>(begun, open, waves, carries, batch.result, op, identity);
  if (gridDim.x > 1 && is_last_of(batch.tickets, gridDim.x))
    hand_over<block>(carries, all.count, batch.result, waves, op, identity);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
