#pragma once

// The kernels that somebody else's code launches. They are seen by capturing them into a graph,
// which is never run.

#include <cstddef>
#include <functional>
#include <vector>

#include <hip/hip_runtime.h>

#include "common/accounting.hpp"

namespace ladder::hip_runtime {

/// One kernel as it would have been launched.
struct Captured {
  unsigned grid = 1;               ///< blocks along x
  unsigned block = 1;              ///< threads, along all of its dimensions
  std::size_t dynamic_shared = 0;  ///< bytes of a block
  KernelFacts kernel;  ///< and nothing else of a kernel that the run-time library cannot name
};

/// The kernels that `enqueue()` puts onto `stream`, in their order; none of them is run. `enqueue`
/// may do whatever does not wait for the stream. `device`: the current one's properties. Throws
/// `Error`, and whatever `enqueue` throws; the stream is no longer captured then.
std::vector<Captured> capture(hipStream_t stream, const hipDeviceProp_t& device,
                              const std::function<void()>& enqueue);

}  // namespace ladder::hip_runtime
