#pragma once

// The read-only sweep: reads an array and does as little with it as the compiler lets pass.

#include <cstddef>
#include <span>
#include <string>

#include "kokkos/queue.hpp"

namespace ladder::kokkos {

/// On a GPU `streams` loads of 16 bytes that a thread has under way at once, a league's stride
/// apart. On a host a thread reads its share of the array in `streams` parts side by side, and has
/// no block.
struct Sweep {
  unsigned block;
  unsigned streams;
  unsigned teams_per_unit;

  std::string text() const;
};

/// Every combination that is tried for the ceiling.
std::span<const Sweep> sweeps(bool on_host);

/// Enqueues the reading of `bytes` bytes (a multiple of 16) at `input` (aligned to 16), through the
/// caches as any load.
void enqueue_sweep(Queue& queue, const Sweep& sweep, const void* input, std::size_t bytes);

/// Enqueues a kernel that does nothing.
void enqueue_empty(Queue& queue);

}  // namespace ladder::kokkos
