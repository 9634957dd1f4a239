#pragma once

#include <span>

#include "cuda/table.hpp"

namespace ladder::cuda::variants {

/// Experiments on single points of the ladder's rungs; right, and checked like them.
std::span<const Extra> rungs();

}  // namespace ladder::cuda::variants
