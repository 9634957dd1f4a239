#pragma once

// Reduction trees over a team's threads and lanes.

#include <algorithm>
#include <bit>
#include <cstddef>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Vector lanes per team thread on a GPU: a warp, or half a wavefront.
inline constexpr unsigned lanes = 32;

/// 16-byte-aligned array in team scratch; the launch requests `aligned_bytes` of it.
template <class A, class Team>
KOKKOS_FUNCTION A* aligned_memory(const Team& team, std::size_t count) {
  return static_cast<A*>(
      team.team_scratch(0).get_shmem_aligned(static_cast<int>(count * sizeof(A)), 16));
}
template <class A>
constexpr std::size_t aligned_bytes(std::size_t count) {
  return count * sizeof(A) + 16;
}

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

/// A value, padded to a size that Kokkos can shuffle.
template <class A>
struct alignas(std::max(alignof(A), std::min<std::size_t>(std::bit_ceil(sizeof(A)), 16))) Padded {
  Room<A> room;
};
/// The operation on Padded, as a Kokkos reducer.
template <class A, class Op, class Identity>
class IntoPadded {
 public:
  using reducer = IntoPadded;
  using value_type = Padded<A>;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION IntoPadded(value_type& result, const Op& op, const Identity& identity)
      : result_(&result), op_(op), identity_(identity) {}
  KOKKOS_FUNCTION void join(value_type& mine, const value_type& other) const {
    mine.room.value = op_(mine.room.value, other.room.value);
  }
  KOKKOS_FUNCTION void init(value_type& mine) const { mine.room.value = identity_; }
  KOKKOS_FUNCTION value_type& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION static constexpr bool references_scalar() { return true; }

 private:
  value_type* result_;
  Op op_;
  Identity identity_;
};

/// Combines what `leaf(lane, mine)` adds to `mine` over the lanes of one team thread.
template <class A, class Team, class Op, class Identity, class Leaf>
KOKKOS_FUNCTION A reduce_lanes(const Team& team, unsigned many, const Op& op,
                               const Identity& identity, const Leaf& leaf) {
  Padded<A> whole;
  whole.room.value = identity;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, many),
      [&](unsigned lane, Padded<A>& mine) { leaf(lane, mine.room.value); },
      IntoPadded<A, Op, Identity>(whole, op, identity));
  return whole.room.value;
}

/// Combines what `leaf(i, mine)` adds to `mine` for i < `block`, with any number of threads of
/// `lanes` lanes; the team's first thread gets the result. `tile`: shared memory for block / lanes
/// values. All threads must call it. Calls that use the same tile need a barrier in between.
template <class A, class Team, class Block, class Op, class Identity, class Leaf>
KOKKOS_FUNCTION A reduce_leaves(const Team& team, Block block, A* tile, const Op& op,
                                const Identity& identity, const Leaf& leaf) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / lanes), [&](unsigned warp) {
    const A whole = reduce_lanes<A>(team, lanes, op, identity, [&](unsigned lane, A& mine) {
      leaf(warp * lanes + lane, mine);
    });
    Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = whole; });
  });
  team.team_barrier();
  if (team.team_rank() != 0) return identity;
  return reduce_lanes<A>(team, block / lanes, op, identity,
                         [&](unsigned warp, A& mine) { mine = op(mine, tile[warp]); });
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
