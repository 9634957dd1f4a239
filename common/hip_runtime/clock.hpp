#pragma once

// Device time: a stream that is held while it is filled, and two marks in it.

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <hip/hip_runtime.h>

#include "common/hip_runtime/check.hpp"

namespace ladder::hip_runtime {

class Clock {
 public:
  /// Over `stream`, which has to outlive the clock, on the current device. Holds, marks and
  /// releases once, so that nothing of that is loaded while the stream is held. Throws `Error`.
  explicit Clock(hipStream_t stream);
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  /// Lets the stream go and waits for it.
  ~Clock();

  /// Enqueues a kernel that waits for `release`, but at most `limit` from its start on.
  void hold(std::chrono::nanoseconds limit = std::chrono::seconds(2));
  /// Lets the stream go and waits for it. False where the hold had given up before: then times mean
  /// nothing.
  bool release();
  /// Lets the stream go, whatever has happened to it.
  void let_go() noexcept;

  void mark_start() { check(hipEventRecord(start_.get(), stream_)); }
  void mark_stop() { check(hipEventRecord(stop_.get(), stream_)); }
  /// Seconds between the marks, once the stream has passed them.
  double elapsed() const;

 private:
  /// Page-locked, visible to both sides at the same address. Each has cache lines of its own.
  struct Flags {
    /// The number of the last hold that the host has let go.
    alignas(128) std::uint32_t released;
    /// The number of the last hold that gave up by itself.
    alignas(128) std::uint32_t gave_up;
  };
  struct FreeFlags {
    void operator()(Flags* flags) const noexcept { (void)hipHostFree(flags); }
  };
  struct DestroyEvent {
    void operator()(hipEvent_t event) const noexcept { (void)hipEventDestroy(event); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<hipEvent_t>, DestroyEvent>;
  static std::unique_ptr<Flags, FreeFlags> make_flags();
  static Event make_event();

  hipStream_t stream_;
  std::unique_ptr<Flags, FreeFlags> flags_;
  Event start_, stop_;
  std::uint32_t holds_ = 0;  ///< how many there have been; the last one's number
};

}  // namespace ladder::hip_runtime
