#include <atomic>
#include <new>

#include "common/hip_runtime/clock.hpp"
#include "common/hip_runtime/platform.hpp"

namespace ladder::hip_runtime {
namespace {

/// Holds are numbered, and each waits until the host has let go its own number or a later one:
/// nothing has to be reset, so nothing can be reset too early. The comparison is that of a
/// difference, which outlives the wrap of the counter.
__global__ void wait(const volatile std::uint32_t* released, volatile std::uint32_t* gave_up,
                     std::uint32_t number, std::uint64_t limit) {
  const std::uint64_t start = nanoseconds();
  while (static_cast<std::int32_t>(*released - number) < 0) {
    if (nanoseconds() - start > limit) {
      *gave_up = number;
      __threadfence_system();
      return;
    }
  }
}

}  // namespace

std::unique_ptr<Clock::Flags, Clock::FreeFlags> Clock::make_flags() {
  void* flags = nullptr;
  check(hipHostMalloc(&flags, sizeof(Flags), hipHostMallocMapped | hipHostMallocPortable));
  return std::unique_ptr<Flags, FreeFlags>(new (flags) Flags{});
}

Clock::Event Clock::make_event() {
  hipEvent_t event = nullptr;
  check(hipEventCreate(&event));
  return Event(event);
}

Clock::Clock(hipStream_t stream)
    : stream_(stream), flags_(make_flags()), start_(make_event()), stop_(make_event()) {
  hold();
  mark_start();
  mark_stop();
  release();
}

Clock::~Clock() {
  let_go();
  (void)hipStreamSynchronize(stream_);
}

void Clock::hold(std::chrono::nanoseconds limit) {
  const volatile std::uint32_t* released = &flags_->released;
  volatile std::uint32_t* gave_up = &flags_->gave_up;
  std::uint32_t number = ++holds_;
  auto longest = static_cast<std::uint64_t>(limit.count());
  void* parameters[] = {&released, &gave_up, &number, &longest};
  check(hipLaunchKernel(reinterpret_cast<const void*>(wait), dim3(1), dim3(1), parameters, 0,
                        stream_));
}

void Clock::let_go() noexcept {
  std::atomic_ref(flags_->released).store(holds_, std::memory_order_release);
}

bool Clock::release() {
  let_go();
  check(hipStreamSynchronize(stream_));
  return std::atomic_ref(flags_->gave_up).load(std::memory_order_acquire) != holds_;
}

double Clock::elapsed() const {
  float milliseconds = 0;
  check(hipEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace ladder::hip_runtime
