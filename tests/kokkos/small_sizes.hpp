#pragma once

// r30's kernel of GPUs in forms that differ from it in a single point.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kokkos/index.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"
#include "ladder/kokkos/reduce.hpp"
#include "tests/kokkos/natively.hpp"

namespace ladder::kokkos::faulty::small_sizes {

using reduce_detail::Given, reduce_detail::Threads;

enum class Tree {
  folds,     ///< r30's: in team scratch, added up by 32 threads and then by one
  steps,     ///< in team scratch, with a barrier for each step
  team,      ///< Kokkos's reduction over the threads of a team
  lanes,     ///< Kokkos's reduction over vector lanes, one value of each thread in scratch
  told,      ///< the same, where the compiler is told that a thread has 32 lanes
  shuffles,  ///< the native r30's, by CUDA's shuffles
};

/// What is other than in r30.
struct Form {
  Tree tree = Tree::folds;
  bool relaxed = false;  ///< words by CUDA's relaxed accesses, not by `volatile` ones
  bool plain = false;    ///< launched by CUDA itself, with no frame of Kokkos's around the functor
};

/// Whether a thread of the team has vector lanes, else one for each leaf.
constexpr bool has_lanes(Tree tree) { return tree >= Tree::lanes; }
/// Whether CUDA has a word for it and Kokkos none.
constexpr bool needs_cuda(const Form& form) {
  return form.tree == Tree::told || form.tree == Tree::shuffles || form.relaxed || form.plain;
}
/// Whether a host's team can run it, which has fewer threads than leaves.
constexpr bool on_hosts(const Form& form) {
  return form.tree == Tree::steps || form.tree == Tree::team;
}

template <class Op>
struct Identity {
  KOKKOS_FUNCTION constexpr operator typename Op::value() const { return Op::identity(); }
};

/// `f(leaf)` for each leaf below `count`, by the thread whose rank it is; on a host, where a team
/// has fewer threads, by a range.
template <class Team, class F>
KOKKOS_FUNCTION void each_leaf(const Team& team, unsigned count, const F& f) {
  KOKKOS_IF_ON_DEVICE(
      (const auto rank = static_cast<unsigned>(team.team_rank()); if (rank < count) f(rank);))
  KOKKOS_IF_ON_HOST((Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), f);))
}

/// r30's kernel with a tree of the form's.
template <Form form, class T, class Op, unsigned threads, unsigned vectors, bool whole>
struct Reduce : reduce_detail::ByRanks<const T*, Given, typename Op::value, Op, Identity<Op>,
                                       threads, vectors, whole> {
  using A = typename Op::value;
  using Base =
      reduce_detail::ByRanks<const T*, Given, A, Op, Identity<Op>, threads, vectors, whole>;
  static constexpr unsigned vector_length = has_lanes(form.tree) ? lanes : 1;
  static constexpr unsigned threads_known = threads;
  static constexpr bool by_single = form.tree == Tree::lanes || form.tree == Tree::told;
  /// With this tree and in Kokkos's frame the compiler leaves room for full SMs without being told.
  static constexpr unsigned resident = by_single && !form.plain ? 0 : Base::resident;
  using Base::x, Base::workspace, Base::result, Base::op, Base::identity;

  /// A value of each leaf as one, which the team's first thread gets.
  template <class Team, class Leaf>
  KOKKOS_FUNCTION A combine(const Team& team, A* tile, const Leaf& leaf) const {
    if constexpr (form.tree == Tree::shuffles) {
      return by_shuffles<threads>(team, tile, op, A(identity), leaf);
    } else if constexpr (has_lanes(form.tree)) {
      return reduce_detail::reduce_by_lanes<threads / lanes>(team, tile, op, identity, leaf);
    } else if constexpr (form.tree == Tree::folds) {
      return reduce_detail::reduce_by_folds<threads>(team, tile, op, identity, leaf);
    } else if constexpr (form.tree == Tree::team) {
      A all = identity;
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, threads), leaf,
                              reduce_detail::Into<A, Op, Identity<Op>>(all, op, identity));
      return all;
    } else {
      each_leaf(team, threads, [&](unsigned i) {
        A mine = identity;
        leaf(i, mine);
        tile[i] = mine;
      });
      team.team_barrier();
      return by_steps(team, tile);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION A by_steps(const Team& team, A* tile) const {
    LADDER_UNROLLED_WHOLE
    for (unsigned s = threads / 2; s > 0; s /= 2) {
      each_leaf(team, s, [&](unsigned i) { tile[i] = op(tile[i], tile[i + s]); });
      team.team_barrier();
    }
    return tile[0];
  }

  /// Once for the team, by the thread that has the result.
  template <class Team, class F>
  KOKKOS_FUNCTION void once(const Team& team, const F& f) const {
    if constexpr (by_single) {
      Kokkos::single(Kokkos::PerTeam(team), f);
    } else if (team.team_rank() == 0 && lane_of_thread() == 0) {
      f();
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if constexpr (form.tree == Tree::told) tell_lanes();
    A* const tile = tile_of(team);
    if constexpr (whole) {
      const A all =
          combine(team, tile, [&](unsigned leaf, A& mine) { Base::walk_whole(leaf, mine); });
      once(team, [&] { *result = all; });
    } else {
      reduce_any(team, tile);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void reduce_any(const Team& team, A* tile) const {
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    unsigned call = 0;
    if (last != 0 && (team.team_rank() == 0 || me == last))
      call = static_cast<unsigned>(get<form.relaxed>(workspace.words));
    const Index n = Base::count();
    const auto at = reduce_detail::split(x, n);
    const T* const v = x + at.head;

    const A all = combine(team, tile, [&](unsigned leaf, A& mine) {
      Base::walk(team, v, at.vectors, leaf, mine);
      if (me != last) return;
      if (leaf < at.head) mine = op(mine, A(x[leaf]));
      if (leaf < n - at.tail) mine = op(mine, A(x[at.tail + leaf]));
    });
    if (last == 0) return once(team, [&] { *result = all; });
    if (me != last) return once(team, [&] { leave<form.relaxed>(workspace, me, all, call); });

    if constexpr (form.tree != Tree::folds) team.team_barrier();
    const A others = combine(team, tile, [&](unsigned leaf, A& mine) {
      collect<form.relaxed>(workspace, leaf, threads, last, call, mine, op);
    });
    once(team, [&] { *result = op(all, others); });
    if (call == ~0U) return reduce_detail::forget(team, workspace);
    once(team, [&] { reduce_detail::put(workspace.words, std::uint64_t{call} + 1); });
  }

  template <class Team>
  KOKKOS_FUNCTION A* tile_of(const Team& team) const {
    const auto& scratch = team.team_scratch(0);
    constexpr auto bytes = static_cast<int>(tile_bytes());
    return static_cast<A*>(has_lanes(form.tree) ? scratch.get_shmem(bytes)
                                                : scratch.get_shmem_aligned(bytes, 16));
  }
  static constexpr std::size_t tile_bytes() {
    return has_lanes(form.tree) ? (threads / lanes * sizeof(A) + 3) / 4 * 4
                                : (threads + lanes) * sizeof(A);
  }
  /// With what it takes to begin at a boundary of 16 bytes.
  static constexpr std::size_t scratch_bytes() {
    return tile_bytes() + (has_lanes(form.tree) ? 0 : 16);
  }
};

}  // namespace ladder::kokkos::faulty::small_sizes
