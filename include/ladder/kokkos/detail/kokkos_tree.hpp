#pragma once

// Reduction trees over a team's threads and lanes.

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Vector lanes per team thread on a GPU: a warp, or half a wavefront.
inline constexpr unsigned lanes = 32;

/// An operation as a Kokkos reducer.
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

/// Combines one value per team thread, `leaf(rank, mine)` applied to the identity; the first thread
/// gets the result. `tile`: 16-byte-aligned shared memory for one value per thread and 32 more.
/// First, 32 threads each add vectors of 16 bytes, 32 vectors apart, free of bank conflicts; then
/// one thread adds their results.
template <unsigned threads, class A, class Op, class Identity, class Team, class Leaf>
KOKKOS_FUNCTION A reduce_by_folds(const Team& team, A* tile, const Op& op, const Identity& identity,
                                  const Leaf& leaf) {
  constexpr unsigned most = Access<A*>::width, each = threads / lanes;
  constexpr unsigned wide = most < each ? most : each;
  static_assert(each > 0 && each % wide == 0, "whole warps");
  const auto rank = static_cast<unsigned>(team.team_rank());
  A mine = identity;
  leaf(rank, mine);
  tile[rank] = mine;
  team.team_barrier();
  if (rank < lanes) {
    tile[threads + rank] = combined<A, 0, each / wide>(op, [&](unsigned k) {
      return fold_aligned<A, wide>(tile + (k * lanes + rank) * wide, op);
    });
  }
  team.team_barrier();
  return rank == 0 ? fold_aligned<A, lanes>(tile + threads, op) : A(identity);
}
/// Scratch bytes of its tile, including alignment.
template <unsigned threads, class A>
inline constexpr std::size_t tile_of_folds = (threads + lanes) * sizeof(A) + 16;

/// The same for values too large for one per thread in shared memory: one team thread per warp,
/// with 32 vector lanes over which Kokkos reduces. `tile`: one value per warp.
template <unsigned warps, class A, class Op, class Identity, class Team, class Leaf>
KOKKOS_FUNCTION A reduce_by_lanes(const Team& team, A* tile, const Op& op, const Identity& identity,
                                  const Leaf& leaf) {
  const auto warp = static_cast<unsigned>(team.team_rank());
  A mine = identity;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, lanes),
      [&](unsigned lane, A& some) { leaf(warp * lanes + lane, some); },
      Into<A, Op, Identity>(mine, op, identity));
  Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = mine; });
  team.team_barrier();
  if (warp > 0) return mine;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, warps),
      [&](unsigned w, A& some) { some = op(some, tile[w]); },
      Into<A, Op, Identity>(mine, op, identity));
  return mine;
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
