#pragma once

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

#include "ladder/kokkos/choice.hpp"
#include "ladder/kokkos/detail/launch.hpp"
#include "ladder/kokkos/operations.hpp"
#include "ladder/kokkos/workspace.hpp"

namespace ladder::kokkos {

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0. Enqueued on the instance `space`, by one launch: `x`, `result` and the workspace have to stay
/// until it has run. `x` is a pointer that is aligned for its type, read in vectors of 16 bytes, or
/// anything with `x[i]` in a kernel. False where the workspace has not been made; what fails in
/// Kokkos itself ends as Kokkos ends it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity) {
  const Choice choice = usual_choice(n * sizeof(typename reduce_detail::Access<In>::element));
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

/// The same where how many there are stands in memory of the space, no more than `most`: there are
/// as many teams as for `most`.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, const std::size_t* n,
            std::size_t most, A* result, Op op, std::type_identity_t<A> identity) {
  const Choice choice = usual_choice(most * sizeof(typename reduce_detail::Access<In>::element));
  return reduce_detail::launch(space, workspace, x, reduce_detail::Stored{n}, most, result, op,
                               identity, choice);
}

/// All elements of a View of rank 1 into one of rank 0. Both are contiguous.
template <class Space, class T, class... In, class A, class... Out, class Op>
bool reduce(const Space& space, const Workspace& workspace, const Kokkos::View<T*, In...>& x,
            const Kokkos::View<A, Out...>& result, Op op, std::type_identity_t<A> identity) {
  static_assert(reduce_detail::usable<Space, Kokkos::View<T*, In...>> &&
                    reduce_detail::usable<Space, Kokkos::View<A, Out...>>,
                "Views that are contiguous, in memory that the space can use");
  const T* const elements = x.data();
  return reduce(space, workspace, elements, x.size(), result.data(), op, identity);
}

}  // namespace ladder::kokkos

#undef LADDER_REDUCE_UNROLLED
