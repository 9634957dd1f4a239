#pragma once

// Device time: two marks in a stream that is held while the host fills it.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>

#include "common/device/gpu/memory.hpp"

namespace ladder::LADDER_MODEL {

/// Spins until the host releases hold `number` or a later one, at most `limit` ns. Holds are
/// numbered, so no flag has to be reset, and none can be reset too early. Comparing the difference
/// is correct across a wrap of the counter.
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
  /// Works on `stream`, which must outlive the clock, on the current device. Holds, marks and
  /// releases once, so that nothing has to be loaded while the stream is held. Throws `Error`.
  explicit Clock(Stream stream) : stream_(stream), start_(make_event()), stop_(make_event()) {
    hold();
    mark_start();
    mark_stop();
    release();
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  /// Releases the stream and waits for it.
  ~Clock() {
    let_go();
    (void)LADDER_GPU(StreamSynchronize)(stream_);
  }

  /// Enqueues a kernel that waits for `release`, for at most `limit` from its start.
  void hold(std::chrono::nanoseconds limit = std::chrono::seconds(2)) {
    const volatile std::uint32_t* released = &flags_->released;
    volatile std::uint32_t* gave_up = &flags_->gave_up;
    std::uint32_t number = ++holds_;
    auto longest = static_cast<std::uint64_t>(limit.count());
    void* parameters[] = {&released, &gave_up, &number, &longest};
    Runtime::check(
        Runtime::launch(reinterpret_cast<const void*>(&wait), 1, 1, parameters, 0, stream_));
  }
  /// Releases the stream, whatever its state.
  void let_go() noexcept {
    std::atomic_ref(flags_->released).store(holds_, std::memory_order_release);
  }
  /// Releases the stream and waits for it. False if the hold timed out before: then times are
  /// meaningless.
  bool release() {
    let_go();
    Runtime::check(LADDER_GPU(StreamSynchronize)(stream_));
    return std::atomic_ref(flags_->gave_up).load(std::memory_order_acquire) != holds_;
  }

  void mark_start() { Runtime::check(LADDER_GPU(EventRecord)(start_.get(), stream_)); }
  void mark_stop() { Runtime::check(LADDER_GPU(EventRecord)(stop_.get(), stream_)); }
  /// Seconds between the marks; valid once the stream has passed both.
  double elapsed() const {
    float milliseconds = 0;
    Runtime::check(LADDER_GPU(EventElapsedTime)(&milliseconds, start_.get(), stop_.get()));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  /// Shared by host and device. Each flag has its own cache lines.
  struct Flags {
    /// Number of the last hold that the host released.
    alignas(128) std::uint32_t released;
    /// Number of the last hold that timed out.
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
  std::uint32_t holds_ = 0;  ///< number of holds so far, and of the last one
};

}  // namespace ladder::LADDER_MODEL
