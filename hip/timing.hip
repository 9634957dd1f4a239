#include <algorithm>

#include "hip/ceiling.hpp"
#include "hip/timing.hpp"

namespace ladder::hip {
namespace {

__global__ void empty() {}

constexpr Sweep eviction_sweep{.block = 512, .loads = 4, .blocks_per_unit = 4};

}  // namespace

Timing::Timing(Queue& queue, std::size_t cache_bytes)
    : queue_(queue),
      bytes_(ceil_div(4 * std::max(cache_bytes, std::size_t{1} << 20), 256) * 256),
      buffer_(hip_runtime::allocate(bytes_)),
      clock_(queue.stream()) {
  check(hipMemsetAsync(buffer_.get(), 1, bytes_, queue.stream()));
  for (const Sweep& sweep : sweeps()) {  // one of each kernel
    if (sweep.block == 256 && sweep.blocks_per_unit == 1) {
      enqueue_sweep(queue, sweep, buffer_.get(), bytes_);
    }
  }
  enqueue_empty(queue);
  evict();
  queue.synchronize();
}

void Timing::evict() { enqueue_sweep(queue_, eviction_sweep, buffer_.get(), bytes_); }

void enqueue_empty(Queue& queue) { queue.launch(empty, Shape{}, Pass{}); }

}  // namespace ladder::hip
