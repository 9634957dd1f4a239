#pragma once

// What is around a measurement: the stream's clock, and eviction.

#include <cstddef>

#include "common/hip_runtime/clock.hpp"
#include "common/hip_runtime/memory.hpp"
#include "hip/queue.hpp"

namespace ladder::hip {

class Timing {
 public:
  /// Makes the eviction buffer, four times the last-level cache of `cache_bytes`, and launches each
  /// kernel of the harness once, so that none is loaded while the stream is held. Throws
  /// `NotPossible` where the buffer does not fit.
  Timing(Queue& queue, std::size_t cache_bytes);

  hip_runtime::Clock& clock() { return clock_; }

  /// Enqueues the reading of the eviction buffer.
  void evict();
  std::size_t eviction_bytes() const { return bytes_; }

 private:
  Queue& queue_;
  std::size_t bytes_;
  hip_runtime::Memory buffer_;
  hip_runtime::Clock
      clock_;  ///< below the buffer, so that the stream is let go before that is freed
};

/// Enqueues a kernel that does nothing.
void enqueue_empty(Queue& queue);

}  // namespace ladder::hip
