#pragma once

#if __cplusplus < 202002L
#error "ladder/kokkos/reduce.hpp needs C++20: -std=c++20, or CMAKE_CXX_STANDARD 20"
#endif

// A reduction in Kokkos, to be called on any execution space: one launch on the caller's instance,
// no allocation, no fence. C++20, Kokkos 5, nothing else. docs/calling.md has examples.
//
//   std::size_t words = ladder::kokkos::workspace_words(space);    // once per instance
//   Kokkos::View<std::uint64_t*, Space> memory("workspace", words);
//   ladder::kokkos::Workspace workspace;
//   bool made = ladder::kokkos::make_workspace(&workspace, space, memory);
//
//   ladder::kokkos::reduce(space, workspace, x, result, ladder::kokkos::Sum{}, 0.0f);
//
// How it works: on a GPU each team leaves its partial and the number of the call in one word of the
// workspace, and the last team waits for the words of the others, as in ladder/cuda/reduce.hpp. On
// a host each thread takes one contiguous share, or of a large input pieces of it and then what
// others have left, and who is the last to end adds the partials.

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

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0: op(identity, a) has to be a, since it is taken more than once. Enqueued on the instance
/// `space`, by one launch: `x`, `result` and the workspace have to stay until it has run. `x` is a
/// pointer that is aligned for its type or what `transform` makes of several, read in vectors of 16
/// bytes, or anything with `x[i]` in a kernel. False, and nothing is enqueued, where the workspace
/// has not been made or a pointer is null; what fails in Kokkos itself ends as Kokkos ends it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity) {
  const Choice choice = reduce_detail::choice_for<In, A>(n);
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same by a choice of the caller's; false where there is no kernel for it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity, const Choice& choice) {
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same where how many there are stands in memory of the space, as an integer of any type.
/// There are as many teams as for `most`: if there are more elements, the result is right all the
/// same, and slower.
template <class Space, class In, class Integer, class A, class Op>
requires std::is_integral_v<Integer>
bool reduce(const Space& space, const Workspace& workspace, In x, const Integer* n,
            std::size_t most, A* result, Op op, std::type_identity_t<A> identity) {
  const Choice choice = reduce_detail::choice_for<In, A>(most);
  return reduce_detail::launch(space, workspace, x, reduce_detail::Stored<Integer>{n}, most, result,
                               op, identity, choice);
}

/// All elements of a View of rank 1 into one of rank 0. Both are contiguous.
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
