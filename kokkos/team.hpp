#pragma once

// What the rungs' trees are made of: team scratch, vector lanes, and the tree itself for the rungs
// whose idea is another.

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

/// Vector lanes of a team's thread, for the rungs that have a warp in CUDA: on a GPU they are one,
/// or a part of a wavefront; a host's thread walks them in turn. The same number everywhere, so
/// that every space has the same tree.
inline constexpr unsigned lanes = 32;

/// `count` values that the team shares; each call gives another piece of what the launch asked for.
/// Every thread of the team has to call it.
template <class A, class Team>
KOKKOS_FUNCTION A* shared_memory(const Team& team, unsigned count) {
  return static_cast<A*>(team.team_scratch(0).get_shmem(static_cast<int>(count * sizeof(A))));
}

/// `count`, or the next number of values that end where an `unsigned` can follow: Kokkos puts one
/// piece right behind the other.
template <class A>
KOKKOS_FUNCTION constexpr unsigned whole_words(unsigned count) {
  constexpr unsigned in_word = sizeof(A) < sizeof(unsigned) ? sizeof(unsigned) / sizeof(A) : 1;
  return (count + in_word - 1) / in_word * in_word;
}

/// An operation of ours as Kokkos's nested reductions take it (concept: reducer), its result
/// going to a variable.
template <class Op>
class Into {
 public:
  using reducer = Into;
  using value_type = typename Op::value;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION explicit Into(value_type& result) : result_(&result) {}
  KOKKOS_FUNCTION void join(value_type& mine, const value_type& other) const {
    mine = Op{}(mine, other);
  }
  KOKKOS_FUNCTION void init(value_type& mine) const { mine = Op::identity(); }
  KOKKOS_FUNCTION value_type& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION static constexpr bool references_scalar() { return true; }

 private:
  value_type* result_;
};

/// Combines what `leaf(i, mine)` adds to `mine` for each i below `block`, as r12 does; the team's
/// first thread gets the result. `tile` is shared memory for block / lanes values. Every thread of
/// the team has to call it, and with a barrier between two calls that use the same tile.
template <class Op, class Team, class Block, class Leaf>
KOKKOS_FUNCTION typename Op::value reduce_team(const Team& team, Block block,
                                               typename Op::value* tile, const Leaf& leaf) {
  using A = typename Op::value;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / lanes), [&](unsigned warp) {
    A whole = Op::identity();
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, lanes),
        [&](unsigned lane, A& mine) { leaf(warp * lanes + lane, mine); }, Into<Op>(whole));
    Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = whole; });
  });
  team.team_barrier();
  A all = Op::identity();
  if (team.team_rank() == 0) {
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, block / lanes),
        [&](unsigned warp, A& mine) { mine = Op{}(mine, tile[warp]); }, Into<Op>(all));
  }
  return all;
}

}  // namespace ladder::kokkos
