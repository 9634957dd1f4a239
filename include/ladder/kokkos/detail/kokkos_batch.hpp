#pragma once

// What the kernels of many reductions at once share on GPUs: their league, team scratch, and how
// the values of lanes and threads become one.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/detail/shapes.hpp"
#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/detail/kokkos_ranks.hpp"
#include "ladder/kokkos/detail/kokkos_tree.hpp"
#include "ladder/kokkos/detail/kokkos_words.hpp"
#include "ladder/kokkos/detail/unrolled.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Leaves of a team on a GPU, and teams that one of its units is to have room for at once.
inline constexpr unsigned batch_block = 256, batch_resident = 4;
inline constexpr Threads<batch_block> one_block{};
/// The same for kernels whose accumulators take more registers: as the compiler finds best.
template <class A>
inline constexpr unsigned resident_for = sizeof(A) <= 8 ? batch_resident : 0;

/// Steps of a loop that LADDER_REDUCE_BY_FOUR unrolls.
inline constexpr Index loop_steps = 4;
/// Steps of a loop from `first` up to `n`, none where it begins behind. Counted beforehand, or the
/// compiler has to test each of the unrolled steps before the next load.
KOKKOS_INLINE_FUNCTION Index steps_of(Index first, Index n, Index stride) {
  return (n - first + stride - 1) / stride;
}

/// A launch. `shared`: bytes of scratch of a team. `depth`: the longest chain of operations that an
/// element goes through. `read`, `written`: bytes, where they are not those of the groups.
struct League {
  Index teams;
  unsigned block;
  std::size_t shared, depth, read = 0, written = 0;
};

/// How many of `count` ascending values v(0), v(1), ... are less than d.
template <class I, class Limit, class Value>
KOKKOS_FUNCTION I count_less(I count, Limit d, const Value& v) {
  I low = 0;
  while (count > 0) {
    const I half = count / 2;
    const bool less = v(low + half) < d;
    low = less ? low + half + 1 : low;
    count = less ? count - half - 1 : half;
  }
  return low;
}

/// A piece of team scratch at a boundary of 16 bytes; its launch asks for `aligned_bytes` of it.
template <class A, class Team>
KOKKOS_FUNCTION A* aligned_memory(const Team& team, std::size_t count) {
  return static_cast<A*>(
      team.team_scratch(0).get_shmem_aligned(static_cast<int>(count * sizeof(A)), 16));
}
template <class A>
constexpr std::size_t aligned_bytes(std::size_t count) {
  return count * sizeof(A) + 16;
}

/// Several values that are reduced side by side. Of a size that Kokkos can move between lanes,
/// whatever the size of one.
template <class A, unsigned count>
struct alignas(std::max(alignof(A),
                        std::min<std::size_t>(std::bit_ceil(sizeof(A) * count), 16))) Several {
  Room<A> at[count];
};
/// An operation on each of them as Kokkos's nested reductions take it (concept: reducer).
template <class A, unsigned count, class Op, class Identity>
class IntoSeveral {
 public:
  using reducer = IntoSeveral;
  using value_type = Several<A, count>;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION IntoSeveral(value_type& result, const Op& op, const Identity& identity)
      : result_(&result), op_(op), identity_(identity) {}
  KOKKOS_FUNCTION void join(value_type& mine, const value_type& other) const {
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < count; ++k)
      mine.at[k].value = op_(mine.at[k].value, other.at[k].value);
  }
  KOKKOS_FUNCTION void init(value_type& mine) const {
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < count; ++k) mine.at[k].value = identity_;
  }
  KOKKOS_FUNCTION value_type& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION static constexpr bool references_scalar() { return true; }

 private:
  value_type* result_;
  Op op_;
  Identity identity_;
};

/// Combines what `leaf(lane, mine)` adds to `mine` for the lanes of one thread of the team.
template <class A, class Team, class Op, class Identity, class Leaf>
KOKKOS_FUNCTION A reduce_lanes(const Team& team, unsigned many, const Op& op,
                               const Identity& identity, const Leaf& leaf) {
  using One = Several<A, 1>;
  One whole;
  whole.at[0].value = identity;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, many),
      [&](unsigned lane, One& mine) { leaf(lane, mine.at[0].value); },
      IntoSeveral<A, 1, Op, Identity>(whole, op, identity));
  return whole.at[0].value;
}

/// Combines what `leaf(i, mine)` adds to `mine` for each i below `block`, by whatever number of
/// threads of `lanes` lanes; the team's first thread gets the result. `tile` is shared memory for
/// block / lanes values. Every thread has to call it, and with a barrier between two calls that use
/// the same tile.
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

/// Adds vectors `first`, `first` + `stride` and so on of the `count` vectors of `x` to `mine`.
template <class In, class A, class Op>
KOKKOS_FUNCTION void fold_vectors(const In& x, Index first, Index count, unsigned stride,
                                  const Op& op, A& mine) {
  Index i = first;
  LADDER_REDUCE_BY_FOUR
  for (Index k = steps_of(i, count, stride); k > 0; --k, i += stride) {
    Loaded<In, A> loaded;
    loaded.load(x, i);
    mine = op(mine, value_of(loaded, op));
  }
}

/// Adds to `mine` what leaf number `leaf` of `block` has of the n elements of `x`, in vectors where
/// these begin at boundaries.
template <class In, class A, class Op>
KOKKOS_FUNCTION void fold_share(const In& x, Index n, unsigned leaf, unsigned block, const Op& op,
                                A& mine) {
  const Split at = split(x, n);
  if constexpr (Access<In>::width > 1) {
    if (leaf < at.head) mine = op(mine, static_cast<A>(x[leaf]));
    if (leaf < n - at.tail) mine = op(mine, static_cast<A>(x[at.tail + leaf]));
  }
  fold_vectors(advanced(x, at.head), leaf, at.vectors, block, op, mine);
}
/// Operations that an element goes through there, and in the tree of the team.
template <class In>
std::size_t depth_of_share(Index n, unsigned block) {
  constexpr Index width = Access<In>::width;
  return static_cast<std::size_t>((parts_of(n, Index{block} * width) + 2) * width) + 10;
}

/// Calls `f(leaf)` for each leaf of a team whose threads have so many lanes.
template <unsigned vector_length, class Team, class F>
KOKKOS_FUNCTION void for_leaves(const Team& team, unsigned block, const F& f) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / vector_length), [&](unsigned thread) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                         [&](unsigned lane) { f(thread * vector_length + lane); });
  });
}

/// True if elements come into team scratch in vectors; else their values do, one by one.
template <class In>
inline constexpr bool is_staged_in_vectors = std::is_pointer_v<In> && (Access<In>::width > 1);
template <class In, class A>
using Staged = std::conditional_t<is_staged_in_vectors<In>, typename Access<In>::element, A>;

/// Has the team bring n elements into `tile`, which begins at a boundary of 16 bytes and has room
/// for a vector more; returns where the first one then is. A barrier has to follow.
template <unsigned vector_length, class A, class In, class Team>
KOKKOS_FUNCTION const Staged<In, A>* stage(const Team& team, unsigned block, const In& x, Index n,
                                           Staged<In, A>* tile) {
  if constexpr (is_staged_in_vectors<In>) {
    using Vector = typename Access<In>::Vector;
    const Split at = split(x, n);
    auto* const to = tile + past_boundary(x);
    const auto* const v = reinterpret_cast<const Vector*>(x + at.head);
    for_leaves<vector_length>(team, block, [&](unsigned leaf) {
      if (leaf < at.head) to[leaf] = x[leaf];
      if (leaf < n - at.tail) to[at.tail + leaf] = x[at.tail + leaf];
      Index i = leaf;
      LADDER_REDUCE_BY_FOUR
      for (Index k = steps_of(i, at.vectors, block); k > 0; --k, i += block) {
        const Vector loaded = v[i];
        // A barrier comes before anyone reads; on a host of one thread that is nothing.
        KOKKOS_IF_ON_DEVICE((reinterpret_cast<Vector*>(to + at.head)[i] = loaded;))
        KOKKOS_IF_ON_HOST(
            (std::memcpy(to + at.head + i * Access<In>::width, &loaded, sizeof loaded);))
      }
    });
    return to;
  } else {
    for_leaves<vector_length>(team, block, [&](unsigned leaf) {
      for (Index i = leaf; i < n; i += block) tile[i] = static_cast<A>(x[i]);
    });
    return tile;
  }
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
