#pragma once

// Reduction kernel for GPUs.

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/detail/kokkos_tree.hpp"
#include "ladder/kokkos/detail/kokkos_words.hpp"
#include "ladder/kokkos/detail/unrolled.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Thread count known at compile time.
template <unsigned threads>
struct Threads {
  static constexpr unsigned known = threads;
  KOKKOS_FUNCTION constexpr operator unsigned() const { return threads; }
};

/// GPU kernel: each thread acts by its team rank, without the overhead of nested ranges. `whole`: a
/// single team loads all vectors at once, and no element is left over.
template <class In, class Count, class A, class Op, class Identity, unsigned threads,
          unsigned vectors, bool whole = false>
struct ByRanks {
  /// True if each thread has a value in shared memory (detail/kokkos_tree.hpp).
  static constexpr bool by_folds = sizeof(A) <= 16;
  static constexpr unsigned vector_length = by_folds ? 1 : lanes;
  /// Values in shared memory.
  static constexpr unsigned tile_size = by_folds ? threads + lanes : threads / lanes;
  /// Resident teams per SM, limited by its threads.
  static constexpr unsigned resident = by_folds && !whole ? 2048 / threads : 0;
  In x;
  Count count;
  Workspace workspace;
  Threads<threads> block;
  A* result;
  Op op;
  Identity identity;

  /// The share of a leaf: tiles of `vectors` loads, one league apart. All loads of a tile are in
  /// flight before the first is used; conditional loads would serialize.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const In& v, Index until, unsigned leaf,
                            A& mine) const {
    const Index tile = Index{block} * vectors, stride = tile * team.league_size();
    for (Index begin = tile * team.league_rank(); begin < until; begin += stride) {
      const Index i = begin + leaf;
      if (begin + tile <= until) {
        Loaded<In, A> loaded[vectors];
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) loaded[k].load(v, i + k * block);
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k)
          mine = op(mine, reduce_detail::value_of(loaded[k], op));
      } else {
        take_below(v, i, until, mine);
      }
    }
  }

  /// The same for whole vectors.
  KOKKOS_FUNCTION void walk_whole(unsigned leaf, A& mine) const {
    take_below(x, leaf, static_cast<unsigned>(count()) / Access<In>::width, mine);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = aligned_memory<A>(team, tile_size);
    if constexpr (whole) {
      const A all = reduce(team, tile, [&](unsigned leaf, A& mine) { walk_whole(leaf, mine); });
      once(team, [&] { *result = all; });
    } else {
      reduce_any(team, tile);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void reduce_any(const Team& team, A* tile) const {
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    // Few threads read this word, because all teams contend for it. The read precedes the input;
    // nothing uses it until the input has arrived.
    unsigned call = 0;
    if (last != 0 && (team.team_rank() == 0 || me == last))
      call = static_cast<unsigned>(get(workspace.words));
    const Index n = count();
    const auto at = reduce_detail::split(x, n);
    const In v = from(at.head);

    const A all = reduce(team, tile, [&](unsigned leaf, A& mine) {
      walk(team, v, at.vectors, leaf, mine);
      if constexpr (Access<In>::width > 1) {
        if (me != last) return;
        if (leaf < at.head) mine = op(mine, static_cast<A>(x[leaf]));
        if (leaf < n - at.tail) mine = op(mine, static_cast<A>(x[at.tail + leaf]));
      }
    });
    if (last == 0) return once(team, [&] { *result = all; });
    if (me != last) return once(team, [&] { reduce_detail::leave(workspace, me, all, call); });

    if constexpr (!by_folds) team.team_barrier();  // all threads have read the tile
    const A others = reduce(team, tile, [&](unsigned leaf, A& mine) {
      reduce_detail::collect(workspace, leaf, block, last, call, mine, op);
    });
    once(team, [&] { *result = op(all, others); });
    if (call == ~0U) return forget(team, workspace);
    once(team, [&] { put(workspace.words, std::uint64_t{call} + 1); });
  }

  static constexpr std::size_t scratch_bytes() { return aligned_bytes<A>(tile_size); }

 private:
  /// Loads of a leaf in one tile from `i` on; those at or past `until` repeat the last vector.
  template <class Integer>
  KOKKOS_FUNCTION void take_below(const In& v, Integer i, Integer until, A& mine) const {
    Loaded<In, A> loaded[vectors];
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < vectors; ++k) {
      const Integer there = i + k * block;
      loaded[k].load(v, there < until ? there : until - 1);
    }
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < vectors; ++k) {
      if (i + k * block < until) mine = op(mine, reduce_detail::value_of(loaded[k], op));
    }
  }

  template <class Team, class Leaf>
  KOKKOS_FUNCTION A reduce(const Team& team, A* tile, const Leaf& leaf) const {
    if constexpr (by_folds) {
      return reduce_by_folds<threads>(team, tile, op, identity, leaf);
    } else {
      return reduce_leaves(team, block, tile, op, identity, leaf);
    }
  }

  /// Runs `f` once per team, in the thread with the result; cheaper than `single`, which also tests
  /// the lanes.
  template <class Team, class F>
  KOKKOS_FUNCTION void once(const Team& team, const F& f) const {
    if constexpr (by_folds) {
      if (team.team_rank() == 0) f();
    } else {
      Kokkos::single(Kokkos::PerTeam(team), f);
    }
  }

  KOKKOS_FUNCTION In from(Index head) const {
    if constexpr (Access<In>::width == 1) {
      return x;
    } else {
      return x + head;
    }
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
