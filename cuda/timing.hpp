#pragma once

// What is around a measurement: the stream's clock, and eviction.

#include <cstddef>

#include "common/nvidia/clock.hpp"
#include "common/nvidia/memory.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {

class Timing {
 public:
  /// Makes the eviction buffer, four times the last-level cache of `cache_bytes`, and launches each
  /// kernel of the harness once, so that none is loaded while the stream is held. Throws
  /// `NotPossible` where the buffer does not fit.
  Timing(Queue& queue, std::size_t cache_bytes);

  nvidia::Clock& clock() { return clock_; }

  /// Enqueues the reading of the eviction buffer.
  void evict();
  std::size_t eviction_bytes() const { return bytes_; }

 private:
  Queue& queue_;
  std::size_t bytes_;
  nvidia::Memory buffer_;
  nvidia::Clock clock_;  ///< below the buffer, so that the stream is let go before that is freed
};

/// Enqueues a kernel that does nothing.
void enqueue_empty(Queue& queue);

}  // namespace ladder::cuda
