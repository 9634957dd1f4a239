#include <algorithm>
#include <atomic>

#include "cuda/ceiling.hpp"
#include "cuda/timing.hpp"

namespace ladder::cuda {
namespace {

__global__ void empty() {}

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

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

constexpr Sweep eviction_sweep{.block = 512, .loads = 4, .blocks_per_unit = 4};

}  // namespace

Timing::Event Timing::make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return Event(event);
}

Timing::Timing(Queue& queue)
    : queue_(queue),
      bytes_(ceil_div(std::size_t{4} * std::max(queue.device().l2CacheSize, 1 << 20), 256) * 256),
      buffer_(allocate(bytes_)),
      start_(make_event()),
      stop_(make_event()) {
  check(cudaMemsetAsync(buffer_.get(), 1, bytes_, queue.stream()));
  for (const Sweep& sweep : sweeps()) {  // one of each kernel
    if (sweep.block == 256 && sweep.blocks_per_unit == 1) {
      enqueue_sweep(queue, sweep, buffer_.get(), bytes_);
    }
  }
  enqueue_empty(queue);
  evict();
  hold();
  mark_start();
  mark_stop();
  release();
}

Timing::~Timing() {
  let_go();
  cudaStreamSynchronize(queue_.stream());
}

void Timing::hold(std::chrono::nanoseconds limit) {
  Pinned& pinned = queue_.pinned();
  queue_.launch(wait, Shape{}, Pass{}, &pinned.released, &pinned.gave_up, ++holds_, limit.count());
}

void Timing::let_go() noexcept {
  std::atomic_ref(queue_.pinned().released).store(holds_, std::memory_order_release);
}

bool Timing::release() {
  let_go();
  queue_.synchronize();
  return std::atomic_ref(queue_.pinned().gave_up).load(std::memory_order_acquire) != holds_;
}

double Timing::elapsed() const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
  return 1e-3 * static_cast<double>(milliseconds);
}

void Timing::evict() { enqueue_sweep(queue_, eviction_sweep, buffer_.get(), bytes_); }

void enqueue_empty(Queue& queue) { queue.launch(empty, Shape{}, Pass{}); }

}  // namespace ladder::cuda
