#pragma once

// The reduction of ladder/cuda/reduce.hpp and ladder/hip/reduce.hpp. `Error` and `Stream` are the
// run-time library's, cudaError_t and cudaStream_t say.
//
// How it works: each block leaves its partial and the number of the call in one word of the
// workspace, and the last block waits for the words of the others. One access tells it that a
// partial is there and what it is, so that there is one trip through the L2 cache behind the last
// load, and the counting of calls in the workspace makes the words of the call before worthless.

#include <cstddef>
#include <type_traits>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/launch.hpp"
#include "ladder/gpu/gpu_operations.hpp"
#include "ladder/gpu/workspace.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

using reduce_detail::transform;
using reduce_detail::transform_indexed;

#pragma GCC visibility push(hidden)

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0: op(identity, a) has to be a, since it is taken more than once. Enqueued on `stream` of the
/// current device, by one launch: `x`, `result` and the workspace have to stay until it has run.
/// `x` is a pointer that is aligned for its type or what `transform` makes of several, read in
/// vectors of 16 bytes, or any iterator with `x[i]` on the device. `result` is an A* that the
/// device can write, or an OnHost<A> that has been cleared. The run-time library's error of an
/// invalid value, and nothing is enqueued, where the workspace has not been made or a pointer is
/// null. In a loop of calls, `reduce<Overlap::input_ready>(...)` or `after_previous` takes less
/// time a call.
template <Overlap overlap = Overlap::none, class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream) {
  const Choice choice = reduce_detail::choice_for<overlap, In, A>(n, workspace.device);
  return reduce_detail::launch<overlap>(workspace, x,
                                        reduce_detail::Given{static_cast<reduce_detail::Index>(n)},
                                        n, result, op, identity, choice, stream);
}

/// The same by a choice of the caller's; an error of an invalid value where there is no kernel for
/// it.
template <Overlap overlap = Overlap::none, class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream, const Choice& choice) {
  return reduce_detail::launch<overlap>(workspace, x,
                                        reduce_detail::Given{static_cast<reduce_detail::Index>(n)},
                                        n, result, op, identity, choice, stream);
}

/// The same where how many there are stands in device memory, as an integer of any type. The grid
/// is that of `most`: if there are more, the result is right all the same, and slower.
template <Overlap overlap = Overlap::none, class In, class Integer, class To, class A, class Op>
requires std::is_integral_v<Integer> reduce_detail::Error reduce(const Workspace& workspace, In x,
                                                                 const Integer* n, std::size_t most,
                                                                 To result, Op op, A identity,
                                                                 reduce_detail::Stream stream) {
  const Choice choice = reduce_detail::choice_for<overlap, In, A>(most, workspace.device);
  return reduce_detail::launch<overlap>(workspace, x, reduce_detail::Stored<Integer>{n}, most,
                                        result, op, identity, choice, stream);
}

#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
