#pragma once

// Device time: a stream that is held while it is filled, and two marks in it.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>

#include "common/device/gpu/memory.hpp"

namespace ladder::LADDER_MODEL {

/// Holds are numbered, and each waits until the host has let go its own number or a later one:
/// nothing has to be reset, so nothing can be reset too early. The comparison is that of a
/// difference, which outlives the wrap of the counter.
__global__ void wait(const volatile std::uint32_t* released, volatile std::uint32_t* gave_up,
                     std::uint32_t number, std::uint64_t limit) {
  const std::uint64_t start = Runtime::nanoseconds();
  while (static_cast<std::int32_t>(*released - number) < 0) {
    if (Runtime::nanoseconds() - start > limit) {
      *gave_up = number;
      __threadfence_system();
      return;
    }
  }
}

class Clock {
  using Stream = Runtime::Stream;
  using Event = Runtime::Owned<Runtime::Event>;

 public:
  /// Over `stream`, which has to outlive the clock, on the current device. Holds, marks and
  /// releases once, so that nothing of that is loaded while the stream is held. Throws `Error`.
  explicit Clock(Stream stream) : stream_(stream), start_(make_event()), stop_(make_event()) {
    hold();
    mark_start();
    mark_stop();
    release();
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  /// Lets the stream go and waits for it.
  ~Clock() {
    let_go();
    (void)LADDER_GPU(StreamSynchronize)(stream_);
  }

  /// Enqueues a kernel that waits for `release`, but at most `limit` from its start on.
  void hold(std::chrono::nanoseconds limit = std::chrono::seconds(2)) {
    const volatile std::uint32_t* released = &flags_->released;
    volatile std::uint32_t* gave_up = &flags_->gave_up;
    std::uint32_t number = ++holds_;
    auto longest = static_cast<std::uint64_t>(limit.count());
    void* parameters[] = {&released, &gave_up, &number, &longest};
    Runtime::check(
        Runtime::launch(reinterpret_cast<const void*>(&wait), 1, 1, parameters, 0, stream_));
  }
  /// Lets the stream go, whatever has happened to it.
  void let_go() noexcept {
    std::atomic_ref(flags_->released).store(holds_, std::memory_order_release);
  }
  /// Lets the stream go and waits for it. False where the hold had given up before: then times mean
  /// nothing.
  bool release() {
    let_go();
    Runtime::check(LADDER_GPU(StreamSynchronize)(stream_));
    return std::atomic_ref(flags_->gave_up).load(std::memory_order_acquire) != holds_;
  }

  void mark_start() { Runtime::check(LADDER_GPU(EventRecord)(start_.get(), stream_)); }
  void mark_stop() { Runtime::check(LADDER_GPU(EventRecord)(stop_.get(), stream_)); }
  /// Seconds between the marks, once the stream has passed them.
  double elapsed() const {
    float milliseconds = 0;
    Runtime::check(LADDER_GPU(EventElapsedTime)(&milliseconds, start_.get(), stop_.get()));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  /// Visible to both sides. Each has cache lines of its own.
  struct Flags {
    /// The number of the last hold that the host has let go.
    alignas(128) std::uint32_t released;
    /// The number of the last hold that gave up by itself.
    alignas(128) std::uint32_t gave_up;
  };
  static Event make_event() {
    Runtime::Event event = nullptr;
    Runtime::check(LADDER_GPU(EventCreate)(&event));
    return Event(event);
  }

  Stream stream_;
  Pinned memory_ = allocate_pinned(sizeof(Flags));
  Flags* flags_ = new (memory_.get()) Flags{};
  Event start_, stop_;
  std::uint32_t holds_ = 0;  ///< how many there have been; the last one's number
};

}  // namespace ladder::LADDER_MODEL
