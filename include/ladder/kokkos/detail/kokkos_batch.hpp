#pragma once

// Shared parts of the batch kernels for GPUs: league, loads, and copies to team scratch.

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

/// Threads per team on a GPU, and resident teams per SM.
inline constexpr unsigned batch_block = 256, batch_resident = 4;
inline constexpr Threads<batch_block> one_block{};
/// Resident teams for an accumulator type; 0 lets the compiler choose, for large accumulators.
template <class A>
inline constexpr unsigned resident_for = sizeof(A) <= 8 ? batch_resident : 0;

/// Unroll factor of LADDER_REDUCE_BY_FOUR.
inline constexpr Index loop_steps = 4;
/// Trip count of a loop from `first` to `n`, not positive if it is empty. Computed in advance;
/// otherwise the compiler tests the condition before each unrolled load.
KOKKOS_INLINE_FUNCTION Index steps_of(Index first, Index n, Index stride) {
  return (n - first + stride - 1) / stride;
}

/// A launch. `shared`: scratch bytes per team. `depth`: longest chain of operations on one element.
/// `read`, `written`: bytes, if they differ from those of the groups.
struct League {
  Index teams;
  unsigned block;
  std::size_t shared, depth, read = 0, written = 0;
};

/// Adds the vectors `first`, `first + stride`, ... below `count` of `x` to `mine`.
template <class In, class A, class Op>
KOKKOS_FUNCTION void fold_vectors(const In& x, Index first, Index count, unsigned stride,
                                  const Op& op, A& mine) {
  Index i = first;
  LADDER_REDUCE_BY_FOUR
  for (Index k = steps_of(i, count, stride); k > 0; --k, i += stride) {
    Loaded<In, A> loaded;
    loaded.load(x, i);
    mine = op(mine, reduce_detail::value_of(loaded, op));
  }
}

/// Adds the share of `leaf` out of `block` of the n elements of `x` to `mine`, in vectors between
/// 16-byte boundaries.
template <class In, class A, class Op>
KOKKOS_FUNCTION void fold_share(const In& x, Index n, unsigned leaf, unsigned block, const Op& op,
                                A& mine) {
  const auto at = reduce_detail::split(x, n);
  if constexpr (Access<In>::width > 1) {
    LADDER_REDUCE_STEP_BY_STEP
    for (Index i = leaf; i < at.head; i += block) mine = op(mine, static_cast<A>(x[i]));
    LADDER_REDUCE_STEP_BY_STEP
    for (Index i = at.tail + leaf; i < n; i += block) mine = op(mine, static_cast<A>(x[i]));
  }
  fold_vectors(x + at.head, leaf, at.vectors, block, op, mine);
}
/// Operations on one element in fold_share and in the team's tree.
template <class In>
std::size_t depth_of_share(Index n, unsigned block) {
  constexpr Index width = Access<In>::width;
  return static_cast<std::size_t>((parts_of(n, Index{block} * width) + 2) * width) + 10;
}

/// Calls `f(leaf)` for each leaf of a team with `lanes` lanes per thread.
template <class Team, class F>
KOKKOS_FUNCTION void for_leaves(const Team& team, unsigned block, const F& f) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / lanes), [&](unsigned thread) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes),
                         [&](unsigned lane) { f(thread * lanes + lane); });
  });
}

/// True if elements are staged in vectors; otherwise their values are staged one by one.
template <class In>
inline constexpr bool is_staged_in_vectors = std::is_pointer_v<In> && (Access<In>::width > 1);
template <class In, class A>
using Staged =
    std::conditional_t<is_staged_in_vectors<In>, std::remove_cv_t<std::remove_pointer_t<In>>, A>;

/// Copies a leaf's share of `count` > 0 vectors, `leaves` apart, to team scratch with all `loads`
/// in flight. Loads after the first `certain` may be surplus. They repeat the last vector: a branch
/// would serialize the loads.
template <unsigned loads, int certain, unsigned leaves, class Vector, class T>
KOKKOS_FUNCTION void copy_vectors(const Vector* from, T* to, unsigned leaf, unsigned count) {
  constexpr int width = sizeof(Vector) / sizeof(T);
  const auto first = static_cast<int>(leaf), surplus = static_cast<int>(count) - 1 - first;
  const auto place = [&](unsigned k) {
    const auto there = static_cast<int>(k * leaves);
    return static_cast<int>(k) < certain || there < surplus ? there : surplus;
  };
  from += first;
  to += first * width;
  Vector loaded[loads];
  LADDER_REDUCE_UNROLLED
  for (unsigned k = 0; k < loads; ++k) loaded[k] = from[place(k)];
  LADDER_REDUCE_UNROLLED
  for (unsigned k = 0; k < loads; ++k) {
    // Read after a barrier, which is a no-op on a single-threaded host team.
    KOKKOS_IF_ON_DEVICE((reinterpret_cast<Vector*>(to)[place(k)] = loaded[k];))
    KOKKOS_IF_ON_HOST((std::memcpy(to + place(k) * width, &loaded[k], sizeof loaded[k]);))
  }
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
