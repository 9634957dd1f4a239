#pragma once

// How the values of a team's threads and lanes become one.

#include <Kokkos_Core.hpp>

namespace ladder::kokkos::reduce_detail {

/// Vector lanes of a thread of a team on a GPU: a warp, or half a wavefront.
inline constexpr unsigned lanes = 32;

/// An operation as Kokkos's nested reductions take it (concept: reducer).
template <class A, class Op, class Identity>
class Into {
 public:
  using reducer = Into;
  using value_type = A;
  using result_view_type =
      Kokkos::View<A, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION Into(A& result, const Op& op, const Identity& identity)
      : result_(&result), op_(op), identity_(identity) {}
  KOKKOS_FUNCTION void join(A& mine, const A& other) const { mine = op_(mine, other); }
  KOKKOS_FUNCTION void init(A& mine) const { mine = identity_; }
  KOKKOS_FUNCTION A& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION static constexpr bool references_scalar() { return true; }

 private:
  A* result_;
  Op op_;
  Identity identity_;
};

/// Combines one value of each lane of the team, which has as many threads as there are warps; the
/// first thread gets the result. `tile` is shared memory for one value of each warp.
template <class A, class Op, class Identity, class Team, class Leaf>
KOKKOS_FUNCTION A reduce_ranks(const Team& team, unsigned warps, A* tile, const Op& op,
                               const Identity& identity, const Leaf& leaf) {
  const auto warp = static_cast<unsigned>(team.team_rank());
  A mine = identity;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, lanes),
      [&](unsigned lane, A& some) { leaf(warp * lanes + lane, some); },
      Into<A, Op, Identity>(mine, op, identity));
  if (warps == 1) return mine;
  Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = mine; });
  team.team_barrier();
  if (warp > 0) return mine;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, warps),
      [&](unsigned w, A& some) { some = op(some, tile[w]); },
      Into<A, Op, Identity>(mine, op, identity));
  return mine;
}

}  // namespace ladder::kokkos::reduce_detail
