#pragma once

// A reduction on an NVIDIA GPU, to be called: one launch on the caller's stream, no allocation, no
// synchronization. C++20, CUDA 12 or newer, nothing else. docs/calling.md has examples.
//
//   ladder::cuda::Workspace workspace;                            // once per stream
//   cudaMalloc(&memory, ladder::cuda::workspace_bytes());
//   ladder::cuda::make_workspace(&workspace, memory, ladder::cuda::workspace_bytes(), stream);
//
//   ladder::cuda::reduce(workspace, x, n, result, ladder::cuda::Sum{}, 0.0f, stream);
//
// How it works: each block leaves its partial and the number of the call in one word of the
// workspace, and the last block waits for the words of the others. One access tells it that a
// partial is there and what it is, so that there is one trip through the L2 cache behind the last
// load, and the counting of calls in the workspace makes the words of the call before worthless.

#include <cstddef>

#include <cuda_runtime.h>

#include "ladder/cuda/choice.hpp"
#include "ladder/cuda/detail/launch.hpp"
#include "ladder/cuda/operations.hpp"
#include "ladder/cuda/workspace.hpp"

namespace ladder::cuda {

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0. Enqueued on `stream` of the current device, by one launch: `x`, `result` and the workspace
/// have to stay until it has run. `x` is a pointer that is aligned for its type, read in vectors of
/// 16 bytes, or any iterator with `x[i]` on the device. `result` is an A* that the device can
/// write, or an OnHost<A> that has been cleared.
template <class In, class To, class A, class Op>
cudaError_t reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op, A identity,
                   cudaStream_t stream) {
  const Choice choice =
      usual_choice(n * sizeof(typename reduce_detail::Access<In>::element), workspace.device);
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same by a choice of the caller's; cudaErrorInvalidValue where there is no kernel for it.
template <class In, class To, class A, class Op>
cudaError_t reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op, A identity,
                   cudaStream_t stream, const Choice& choice) {
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same where how many there are stands in device memory, no more than `most`: the grid is that
/// of `most`.
template <class In, class To, class A, class Op>
cudaError_t reduce(const Workspace& workspace, In x, const std::size_t* n, std::size_t most,
                   To result, Op op, A identity, cudaStream_t stream) {
  const Choice choice =
      usual_choice(most * sizeof(typename reduce_detail::Access<In>::element), workspace.device);
  return reduce_detail::launch(workspace, x, reduce_detail::Stored{n}, most, result, op, identity,
                               choice, stream);
}

}  // namespace ladder::cuda
