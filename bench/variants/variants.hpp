#pragma once

// Experiments on CUDA's rungs, as further rungs of its backend in the program ladder_variants.

#include <span>
#include <string_view>

#include "common/gpu/rungs.hpp"

namespace ladder::cuda::variants {

consteval Extra variant(std::string_view id, std::string_view idea,
                        Run<Queue> (*finder)(Type, Operation), unsigned axes = no_axis) {
  return {Rung{id, "", "", idea, "an experiment", axes},
          Entry{id, finder, axes == no_axis ? Tuning{} : Tuning{.block = 256}}, false};
}

/// Changes of a rung in a single point.
std::span<const Extra> steps();
/// Reductions that applications ask for besides sums.
std::span<const Extra> calls_of_cuda();
/// What a call costs besides its reduction.
std::span<const Extra> costs();
/// Calls that overlap with the kernel before them.
std::span<const Extra> overlaps();

}  // namespace ladder::cuda::variants
