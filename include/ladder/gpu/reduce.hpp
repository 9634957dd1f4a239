#pragma once

// The reduction of ladder/cuda/reduce.hpp and ladder/hip/reduce.hpp. `Error` and `Stream` are the
// run-time library's, cudaError_t and cudaStream_t say.
//
// How it works: each block leaves its partial and the number of the call in one word of the
// workspace, and the last block waits for the words of the others. One access tells it that a
// partial is there and what it is, so that there is one trip through the L2 cache behind the last
// load, and the counting of calls in the workspace makes the words of the call before worthless.

#include <cstddef>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/launch.hpp"
#include "ladder/gpu/operations.hpp"
#include "ladder/gpu/workspace.hpp"

namespace ladder::LADDER_MODEL {

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0. Enqueued on `stream` of the current device, by one launch: `x`, `result` and the workspace
/// have to stay until it has run. `x` is a pointer that is aligned for its type, read in vectors of
/// 16 bytes, or any iterator with `x[i]` on the device. `result` is an A* that the device can
/// write, or an OnHost<A> that has been cleared.
template <class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream) {
  const Choice choice =
      usual_choice(n * sizeof(typename reduce_detail::Access<In>::element), workspace.device);
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same by a choice of the caller's; an error of an invalid value where there is no kernel for
/// it.
template <class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream, const Choice& choice) {
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same where how many there are stands in device memory, no more than `most`: the grid is that
/// of `most`.
template <class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, const std::size_t* n,
                            std::size_t most, To result, Op op, A identity,
                            reduce_detail::Stream stream) {
  const Choice choice =
      usual_choice(most * sizeof(typename reduce_detail::Access<In>::element), workspace.device);
  return reduce_detail::launch(workspace, x, reduce_detail::Stored{n}, most, result, op, identity,
                               choice, stream);
}

}  // namespace ladder::LADDER_MODEL
