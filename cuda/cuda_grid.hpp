#pragma once

// Grid-wide barrier.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace ladder::cuda {

/// Waits for all threads of the grid; earlier writes of each are then visible to all. For kernels
/// launched by `Queue::launch_together`.
__device__ inline void sync_grid() { cooperative_groups::this_grid().sync(); }

}  // namespace ladder::cuda
