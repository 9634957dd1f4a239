#pragma once

// Replaces hip/hip_grid.hpp.

#include <hip/hip_runtime.h>

namespace ladder::hip {

inline void sync_grid() { fibers::meet_grid(); }

}  // namespace ladder::hip
