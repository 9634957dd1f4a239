#pragma once

// Grid-wide barrier.

// HIP 5's cooperative groups do not include the runtime's header.
// clang-format off
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
// clang-format on

namespace ladder::hip {

/// Waits for all threads of the grid; earlier writes of each are then visible to all. HIP 5's
/// barrier on AMD is not a fence; hence the two fences. For kernels launched by
/// `Queue::launch_together`.
__device__ inline void sync_grid() {
  __threadfence();
  cooperative_groups::this_grid().sync();
  __threadfence();
}

}  // namespace ladder::hip
