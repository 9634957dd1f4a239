#pragma once

// The read-only sweep: reads an array and does as little with it as the compiler lets pass.

#include <cstddef>
#include <span>
#include <string>

#include "hip/queue.hpp"

namespace ladder::hip {

struct Sweep {
  unsigned block;
  unsigned loads;            ///< 16-byte loads that a thread has under way at once
  unsigned blocks_per_unit;  ///< on each multiprocessor; those that do not fit at once wait

  std::string text() const;
};

/// Every combination that is tried for the ceiling.
std::span<const Sweep> sweeps();

/// Enqueues the reading of `bytes` bytes (a multiple of 16) at `input` (aligned to 16), through the
/// caches as any load.
void enqueue_sweep(Queue& queue, const Sweep& sweep, const void* input, std::size_t bytes);

}  // namespace ladder::hip
