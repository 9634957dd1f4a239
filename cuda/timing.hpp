#pragma once

// What is around a measurement: holding the stream, events, eviction.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda/memory.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {

class Timing {
 public:
  /// Makes the eviction buffer, four times the L2 cache, and launches each kernel of the harness
  /// once, so that none is loaded while the stream is held. Throws `NotPossible` where the buffer
  /// does not fit.
  explicit Timing(Queue& queue);
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;
  ~Timing();

  /// Enqueues a kernel that waits for `release`, but at most `limit` from its start on.
  void hold(std::chrono::nanoseconds limit = std::chrono::seconds(2));
  /// Lets the stream go and waits for it. False where the hold had given up before: then times mean
  /// nothing.
  bool release();
  /// Lets the stream go, whatever has happened to it.
  void let_go() noexcept;

  void mark_start() { check(cudaEventRecord(start_.get(), queue_.stream())); }
  void mark_stop() { check(cudaEventRecord(stop_.get(), queue_.stream())); }
  /// Seconds between the marks, once the stream has passed them.
  double elapsed() const;

  /// Enqueues the reading of the eviction buffer.
  void evict();
  std::size_t eviction_bytes() const { return bytes_; }

 private:
  struct DestroyEvent {
    void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
  };
  using Event = std::unique_ptr<CUevent_st, DestroyEvent>;
  static Event make_event();

  Queue& queue_;
  std::size_t bytes_;
  Memory buffer_;
  Event start_, stop_;
  std::uint32_t holds_ = 0;  ///< how many there have been; the last one's number
};

/// Enqueues a kernel that does nothing.
void enqueue_empty(Queue& queue);

}  // namespace ladder::cuda
