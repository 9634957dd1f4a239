#pragma once

// A barrier across all blocks of a launch.

// HIP 5's groups take for granted what its runtime's header says.
// clang-format off
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
// clang-format on

namespace ladder::hip {

/// Until all threads of all blocks are here. What each of them wrote before is seen by all of them
/// behind it, by the two fences: HIP 5's barrier on AMD is none. For kernels that
/// `Queue::launch_together` launches.
__device__ inline void sync_grid() {
  __threadfence();
  cooperative_groups::this_grid().sync();
  __threadfence();
}

}  // namespace ladder::hip
