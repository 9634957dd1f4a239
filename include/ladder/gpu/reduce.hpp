#pragma once

// The reduction of ladder/cuda/reduce.hpp and ladder/hip/reduce.hpp. `Error` and `Stream` are the
// run-time library's types, such as cudaError_t and cudaStream_t.
//
// Algorithm: each block stores its partial and the number of the call in one 64-bit word of the
// workspace. The last block polls the words of the others. One access shows both that a partial is
// valid and its value, so only one L2 round trip follows the last load. Each call has a new number,
// which invalidates the words of the call before.

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

/// Reduces the elements [0, n) of `x`, cast to A, with `op` into `result`; `identity` if n is 0.
/// `identity` is used more than once: op(identity, a) must equal a. Enqueues one launch on `stream`
/// of the current device; `x`, `result` and the workspace must outlive it. `x`: a pointer aligned
/// for its type or an input made by `transform`, both read in 16-byte vectors; or an iterator with
/// `x[i]` on the device. `result`: an A* that the device can write, or a cleared OnHost<A>. Returns
/// the run-time library's invalid-value error, and enqueues nothing, if the workspace is not
/// initialized or a pointer is null. In a loop of calls, `reduce<Overlap::input_ready>(...)` or
/// `after_previous` reduces the time per call.
template <Overlap overlap = Overlap::none, class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream) {
  using namespace reduce_detail;
  const Choice choice = choice_for<overlap, In, A>(n, workspace.device);
  return reduce_detail::launch<overlap>(workspace, x, Given{static_cast<Index>(n)}, n, result, op,
                                        identity, choice, stream);
}

/// The same with the caller's launch configuration; invalid-value error if no kernel matches it.
template <Overlap overlap = Overlap::none, class In, class To, class A, class Op>
reduce_detail::Error reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op,
                            A identity, reduce_detail::Stream stream, const Choice& choice) {
  using namespace reduce_detail;
  return reduce_detail::launch<overlap>(workspace, x, Given{static_cast<Index>(n)}, n, result, op,
                                        identity, choice, stream);
}

/// The same with the element count in device memory, an integer of any type. `most` determines the
/// grid; a larger count gives the correct result, but slower.
template <Overlap overlap = Overlap::none, class In, class Integer, class To, class A, class Op>
requires std::is_integral_v<Integer> reduce_detail::Error reduce(const Workspace& workspace, In x,
                                                                 const Integer* n, std::size_t most,
                                                                 To result, Op op, A identity,
                                                                 reduce_detail::Stream stream) {
  using namespace reduce_detail;
  const Choice choice = choice_for<overlap, In, A>(most, workspace.device);
  return reduce_detail::launch<overlap>(workspace, x, Stored<Integer>{n}, most, result, op,
                                        identity, choice, stream);
}

#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
