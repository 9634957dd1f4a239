#pragma once

#if __cplusplus < 202002L
#error "ladder/kokkos/reduce.hpp needs C++20: -std=c++20, or CMAKE_CXX_STANDARD 20"
#endif

// A reduction in Kokkos on any execution space: one launch on the caller's instance, no allocation,
// no fence. Requires only C++20 and Kokkos 5. Examples: docs/calling.md.
//
//   std::size_t words = ladder::kokkos::workspace_words(space);    // one per instance
//   Kokkos::View<std::uint64_t*, Space> memory("workspace", words);
//   ladder::kokkos::Workspace workspace;
//   bool made = ladder::kokkos::make_workspace(&workspace, space, memory);
//
//   ladder::kokkos::reduce(space, workspace, x, result, ladder::kokkos::Sum{}, 0.0f);
//
// Algorithm: on a GPU each team stores its partial and the number of the call in one word of the
// workspace. The last team polls the others' words, as in ladder/gpu/reduce.hpp. On a host each
// thread takes one contiguous share, or several of a large input. The last team to finish combines
// the partials.

#include <cstddef>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_launch.hpp"
#include "ladder/kokkos/kokkos_choice.hpp"
#include "ladder/kokkos/kokkos_operations.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"
#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

using reduce_detail::transform;
using reduce_detail::transform_indexed;

#pragma GCC visibility push(hidden)

/// Reduces the elements [0, n) of `x`, cast to A, with `op` into `result`; `identity` if n is 0.
/// `identity` is used more than once: op(identity, a) must equal a. Enqueues one launch on the
/// instance `space`; `x`, `result` and the workspace must outlive it. `x`: a pointer aligned for
/// its type or an input made by `transform`, both read in 16-byte vectors; or anything with `x[i]`
/// in a kernel. Returns false, and enqueues nothing, if the workspace is not initialized or a
/// pointer is null. Failures inside Kokkos abort or throw.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity) {
  const Choice choice = reduce_detail::choice_for<In, A>(n);
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same with the caller's launch configuration; false if no kernel matches it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity, const Choice& choice) {
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same with the element count in memory of the space, an integer of any type. `most`
/// determines the number of teams; a larger count gives the correct result, but slower.
template <class Space, class In, class Integer, class A, class Op>
requires std::is_integral_v<Integer>
bool reduce(const Space& space, const Workspace& workspace, In x, const Integer* n,
            std::size_t most, A* result, Op op, std::type_identity_t<A> identity) {
  const Choice choice = reduce_detail::choice_for<In, A>(most);
  return reduce_detail::launch(space, workspace, x, reduce_detail::Stored<Integer>{n}, most, result,
                               op, identity, choice);
}

/// Reduces a View of rank 1 into one of rank 0. Both must be contiguous.
template <class Space, class... In, class... Out, class Op>
bool reduce(const Space& space, const Workspace& workspace, const Kokkos::View<In...>& x,
            const Kokkos::View<Out...>& result, Op op,
            const typename Kokkos::View<Out...>::value_type& identity) {
  using Elements = Kokkos::View<In...>;
  static_assert(Elements::rank() == 1 && Kokkos::View<Out...>::rank() == 0,
                "the elements of a View of rank 1 become a View of rank 0");
  static_assert(
      reduce_detail::usable<Space, Elements> && reduce_detail::usable<Space, Kokkos::View<Out...>>,
      "Views that are contiguous, in memory that the space can use");
  const typename Elements::value_type* const elements = x.data();
  return reduce(space, workspace, elements, x.size(), result.data(), op, identity);
}

#pragma GCC visibility pop

}  // namespace ladder::kokkos::LADDER_VERSION

#undef LADDER_REDUCE_UNROLLED
#undef LADDER_REDUCE_BY_FOUR
#undef LADDER_REDUCE_STEP_BY_STEP
