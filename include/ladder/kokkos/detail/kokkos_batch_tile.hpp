#pragma once

// A tile of segments, reduced by the vector lanes of one thread on a GPU.

#include <type_traits>

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Elements per lane and tile: odd, to avoid bank conflicts in team scratch, and at most the bits
/// of a word. A tile of floats is 31 cache lines.
template <class Element, class A>
inline constexpr unsigned elements_of_a_lane = sizeof(A) > 8                                  ? 7
                                               : sizeof(A) > 4 || !std::is_same_v<Element, A> ? 15
                                                                                              : 31;

/// Calls `f(lane)` for each vector lane of a thread, which then see each other's team scratch.
template <class Team, class F>
KOKKOS_FUNCTION void for_lanes(const Team& team, const F& f) {
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), f);
#if defined(__HIP_DEVICE_COMPILE__)  // where Kokkos leaves it to the lockstep of the lanes
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#endif
}

/// A part of the path: the first segment that ends in it, or -1; that segment's value in the part;
/// and the value of the segment that is open at its end.
template <class A>
struct Carry {
  Index ended;
  A closed, open;
};

template <class In, class Offset, class A, class Op, class Identity>
struct SegmentTile {
  using Element = Staged<In, A>;
  static constexpr unsigned each = elements_of_a_lane<Element, A>, size = lanes * each;
  static constexpr unsigned width = Access<In>::width, vectors = size / width, none = ~0U;
  static constexpr bool in_place = std::is_same_v<Element, A>;  // sums overwrite elements
  In x;
  Segments<Offset> all;
  A* result;
  Op op;
  Identity identity;

  /// A thread's scratch. A place is an element's index in the tile.
  struct alignas(16) Scratch {
    Element elements[size];
    A other[in_place ? 1 : size];
    A tails[lanes];         ///< of each lane, since the last segment end in it
    A carried;              ///< of the segment that is open before the tile
    Carry<A> carry;         ///< of the share
    unsigned marks[lanes];  ///< of each lane, a bit for each place at which a segment ends
    unsigned open;          ///< index of the tile's first segment that does not end in it

    /// At the last place of a segment: its sum, since its first place or the lane's.
    KOKKOS_FUNCTION A* sums() {
      if constexpr (in_place) return elements;
      return other;
    }
    KOKKOS_FUNCTION void mark(unsigned place) {
      Kokkos::atomic_or(&marks[place / each], 1U << place % each);
    }
  };
  /// The tile begins at element `at` and with segment `first`. The share has its places [low, high)
  /// and ends in segment `last`.
  struct Tile {
    Index at, first, last;
    unsigned low, high;

    KOKKOS_FUNCTION unsigned place(Index element) const {
      const Index place = element - at;
      return place < low ? low : place < high ? static_cast<unsigned>(place) : high;
    }
  };

  KOKKOS_FUNCTION Index begin_of(Index s) const { return static_cast<Index>(all.offsets[s]); }
  KOKKOS_FUNCTION Index end_of(Index s) const { return begin_of(s + 1); }

  /// Places by which an element exceeds a cache line, or the boundary of a transformed vector.
  KOKKOS_FUNCTION unsigned past_line([[maybe_unused]] Index element) const {
    if constexpr (is_staged_in_vectors<In>) {
      return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x + element) % 128 /
                                   sizeof(Element));
    } else if constexpr (width > 1) {
      return past_boundary(x + element);
    } else {
      return 0;
    }
  }

  /// Reduces the tile. Stores the value of segment `held` in the share's carry, and all others that
  /// end in the tile in `result`. Returns the number of segments that end.
  template <class Team>
  KOKKOS_FUNCTION unsigned reduce(const Team& team, Scratch& own, const Tile& tile,
                                  Index held) const {
    unsigned ended = none;
    for (unsigned i = 0; ended == none; i += lanes) {
      for_lanes(team, [&](unsigned lane) { mark_end(own, tile, i + lane); });
      Kokkos::single(
          Kokkos::PerThread(team), [&](unsigned& open) { open = own.open; }, ended);
    }
    if (tile.low < tile.high) {
      for_lanes(team, [&](unsigned lane) { load(own, tile, lane); });
      for_lanes(team, [&](unsigned lane) { walk(own, lane); });
    }
    for_lanes(team, [&](unsigned lane) {
      for (unsigned i = lane; i <= ended; i += lanes) write(own, tile, i, ended, held);
      if (lane == 0) own.open = none;
    });
    return ended;
  }

  /// Adds whole tiles inside a segment, from element `at` on, to the carried value.
  template <class Team>
  KOKKOS_FUNCTION void fold_inside(const Team& team, Scratch& own, Index at, Index tiles) const {
    const A whole = reduce_lanes<A>(team, lanes, op, identity, [&](unsigned lane, A& mine) {
      fold_vectors(x + at, lane, tiles * vectors, lanes, op, mine);
    });
    Kokkos::single(Kokkos::PerThread(team), [&] { own.carried = op(own.carried, whole); });
  }

 private:
  /// Marks the last place of the tile's segment i. The segment that is open at the tile's end has a
  /// mark there too, and the places below the share's first have one.
  KOKKOS_FUNCTION void mark_end(Scratch& own, const Tile& tile, unsigned i) const {
    if (i == 0 && tile.low > 0) own.mark(tile.low - 1);
    const Index s = tile.first + i;
    if (s > tile.last) return;
    const Index behind = tile.at + tile.high, begin = begin_of(s);
    const Index end = s < tile.last ? end_of(s) : behind + 1;
    const unsigned from = tile.place(begin), to = tile.place(end);
    if (from < to) own.mark(to - 1);
    if (end > behind && (i == 0 || begin <= behind)) own.open = i;
  }

  /// Copies the lane's elements to scratch: one by one at the ends of the input and if it has no
  /// vectors. Places outside the share repeat an element of it.
  KOKKOS_FUNCTION void load(Scratch& own, const Tile& tile, unsigned lane) const {
    if constexpr (is_staged_in_vectors<In>) {
      using Vector = typename Access<In>::Vector;
      constexpr unsigned loads = (vectors + lanes - 1) / lanes;
      const auto* const from = reinterpret_cast<const Vector*>(x + tile.at);
      if (tile.at >= 0 && tile.at + size <= all.n)
        return copy_vectors<loads, loads - 1, lanes>(from, own.elements, lane, vectors);
    }
    Room<Element> loaded[each];
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < each; ++k) {
      const unsigned i = lane + k * lanes, below = i < tile.high ? i : tile.high - 1;
      loaded[k].value = static_cast<Element>(x[tile.at + (below < tile.low ? tile.low : below)]);
    }
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < each; ++k) own.elements[lane + k * lanes] = loaded[k].value;
  }

  /// Sums the lane's places, anew after each mark, where the sum so far stays.
  KOKKOS_FUNCTION void walk(Scratch& own, unsigned lane) const {
    const unsigned marks = own.marks[lane];
    own.marks[lane] = 0;
    const Element* const elements = own.elements + lane * each;
    A* const sums = own.sums() + lane * each;
    A mine = identity;
    if (lane == 0) mine = own.carried;
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < each; ++k) {
      mine = op(mine, static_cast<A>(elements[k]));
      if ((marks >> k & 1) != 0) {
        sums[k] = mine;
        mine = identity;
      }
    }
    own.tails[lane] = mine;
  }

  /// Stores the value of the tile's segment i: the tails of the lanes that it covers, and its sum.
  KOKKOS_FUNCTION void write(Scratch& own, const Tile& tile, unsigned i, unsigned ended,
                             Index held) const {
    const Index s = tile.first + i;
    const unsigned from = tile.place(begin_of(s)),
                   to = i < ended ? tile.place(end_of(s)) : tile.high;
    A value = identity;
    if (from < to) {
      const unsigned owner = (to - 1) / each;
      for (unsigned l = from / each; l < owner; ++l) value = op(value, own.tails[l]);
      value = op(value, own.sums()[to - 1]);
    }
    if (i == ended) {
      own.carried = value;
    } else if (s == held) {
      own.carry.closed = value;
    } else {
      result[s] = value;
    }
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
