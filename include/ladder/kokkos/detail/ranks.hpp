#pragma once

// The kernel of GPUs.

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/input.hpp"
#include "ladder/kokkos/detail/tree.hpp"
#include "ladder/kokkos/detail/unrolled.hpp"
#include "ladder/kokkos/detail/words.hpp"
#include "ladder/kokkos/workspace.hpp"

namespace ladder::kokkos::reduce_detail {

/// A number of threads that the compiler knows.
template <unsigned threads>
struct Threads {
  static constexpr unsigned known = threads;
  KOKKOS_FUNCTION constexpr operator unsigned() const { return threads; }
};

/// For GPUs: a thread of the team is its rank and walks no range, since what a portable loop costs
/// is what is left out here.
template <class In, class Count, class A, class Op, class Identity, unsigned threads,
          unsigned vectors>
struct ByRanks {
  static constexpr unsigned vector_length = lanes;
  In x;
  Count count;
  Workspace workspace;
  Threads<threads> block;
  A* result;
  Op op;
  Identity identity;

  /// The share of a leaf: tiles of `vectors` loads, a league apart, all under way before the first
  /// is used; beyond the end the last one again, since each load under a condition would wait.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const In& v, Index until, unsigned leaf,
                            A& mine) const {
    const Index tile = Index{block} * vectors, stride = tile * team.league_size();
    for (Index begin = tile * team.league_rank(); begin < until; begin += stride) {
      const Index i = begin + leaf;
      decltype(load(v, i)) loaded[vectors];
      if (begin + tile <= until) {
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) loaded[k] = load(v, i + k * block);
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) mine = op(mine, value_of<In, A>(loaded[k], op));
      } else {
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) {
          const Index there = i + k * block;
          loaded[k] = load(v, there < until ? there : until - 1);
        }
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) {
          if (i + k * block < until) mine = op(mine, value_of<In, A>(loaded[k], op));
        }
      }
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile =
        static_cast<A*>(team.team_scratch(0).get_shmem(static_cast<int>(scratch_bytes())));
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    // By few threads, since it is one word for all, and before the input; nothing is made of it
    // until the input is there, or that would wait.
    unsigned call = 0;
    if (last != 0 && (team.team_rank() == 0 || me == last))
      call = static_cast<unsigned>(get(workspace.words));
    const Index n = count();
    const Split at = split(x, n);
    const In v = from(at.head);

    const A all =
        reduce_ranks(team, block / lanes, tile, op, identity, [&](unsigned leaf, A& mine) {
          walk(team, v, at.vectors, leaf, mine);
          if constexpr (Access<In>::width > 1) {
            if (me != last) return;
            if (leaf < at.head) mine = op(mine, static_cast<A>(x[leaf]));
            if (leaf < n - at.tail) mine = op(mine, static_cast<A>(x[at.tail + leaf]));
          }
        });
    if (last == 0) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { *result = all; });
      return;
    }
    if (me != last) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { leave(workspace, me, all, call); });
      return;
    }

    team.team_barrier();
    const A others = reduce_ranks(
        team, block / lanes, tile, op, identity,
        [&](unsigned leaf, A& mine) { collect(workspace, leaf, block, last, call, mine, op); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = op(all, others); });
    finish(team, workspace, call);
  }

  /// Shared memory: a value of each warp, and what is left of a word of four bytes.
  static constexpr std::size_t scratch_bytes() { return (threads / lanes * sizeof(A) + 3) / 4 * 4; }

 private:
  KOKKOS_FUNCTION In from(Index head) const {
    if constexpr (Access<In>::width == 1) {
      return x;
    } else {
      return x + head;
    }
  }
};

}  // namespace ladder::kokkos::reduce_detail
