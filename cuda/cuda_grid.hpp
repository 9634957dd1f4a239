#pragma once

// A barrier across all blocks of a launch.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace ladder::cuda {

/// Until all threads of all blocks are here. What each of them wrote before is seen by all of them
/// behind it. For kernels that `Queue::launch_together` launches.
__device__ inline void sync_grid() { cooperative_groups::this_grid().sync(); }

}  // namespace ladder::cuda
