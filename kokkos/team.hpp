#pragma once

// Building blocks of the rungs' trees: team scratch, vector lanes, and a complete tree for rungs
// with another focus.

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

/// Vector lanes per team thread, for rungs that use a warp in CUDA: a warp, or part of a wavefront.
/// A host thread runs them sequentially. The number is the same everywhere, so all spaces have the
/// same tree.
inline constexpr unsigned lanes = 32;

/// Array of `count` values in team scratch; each call returns another part of the requested
/// scratch. All threads of the team must call it.
template <class A, class Team>
KOKKOS_FUNCTION A* shared_memory(const Team& team, unsigned count) {
  return static_cast<A*>(team.team_scratch(0).get_shmem(static_cast<int>(count * sizeof(A))));
}

/// `count`, rounded up so that an `unsigned` can follow: Kokkos places scratch arrays without
/// padding.
template <class A>
KOKKOS_FUNCTION constexpr unsigned whole_words(unsigned count) {
  constexpr unsigned in_word = sizeof(A) < sizeof(unsigned) ? sizeof(unsigned) / sizeof(A) : 1;
  return (count + in_word - 1) / in_word * in_word;
}

/// An operation as a Kokkos reducer, with its result in a variable.
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

/// Combines what `leaf(i, mine)` adds to `mine` for i < `block`, as in r12; the team's first thread
/// gets the result. `tile`: shared memory for block / lanes values. All threads must call it. Calls
/// that use the same tile need a barrier in between.
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
