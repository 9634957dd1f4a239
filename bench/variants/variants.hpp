#pragma once

// Experiments on CUDA's rungs, as further rungs of its backend in the program ladder_variants.

#include <span>
#include <string_view>

#include "common/gpu/calling.hpp"
#include "common/gpu/rungs.hpp"

namespace ladder::cuda::variants {

consteval Extra variant(std::string_view id, std::string_view idea,
                        Run<Queue> (*finder)(Type, Operation), unsigned axes = no_axis) {
  return {Rung{id, "", "", idea, "an experiment", axes},
          Entry{id, finder, axes == no_axis ? Tuning{} : Tuning{.block = 256}}, false};
}

/// Puts a call of the header onto the queue as a library's, which takes no temporary memory.
template <class T, class A, class Call>
void by_header(Queue& queue, std::size_t n, const Call& call) {
  const Workspace workspace = workspace_of<A>(queue);
  queue.library<T, A>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
    bytes = 0;
    return temporary == nullptr ? cudaSuccess : call(workspace, stream);
  });
}

/// Changes of a rung in a single point.
std::span<const Extra> steps();
/// Reductions that applications ask for besides sums.
std::span<const Extra> calls_of_cuda();
/// What a call costs besides its reduction.
std::span<const Extra> costs();

}  // namespace ladder::cuda::variants
