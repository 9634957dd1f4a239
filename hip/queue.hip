#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/backend.hpp"
#include "common/hip_runtime/capture.hpp"
#include "common/hip_runtime/kernel_facts.hpp"
#include "common/hip_runtime/platform.hpp"
#include "hip/queue.hpp"

namespace ladder::hip {
namespace {

/// Bytes between pieces of scratch, and what hipMalloc aligns to.
constexpr std::size_t granule = 256;

/// On AMD the threads of a grid are counted with 32 bits, which the device's properties do not say.
std::size_t most_blocks(const hipDeviceProp_t& device, unsigned block) {
  const auto most = static_cast<std::size_t>(device.maxGridSize[0]);
  if constexpr (hip_runtime::on_nvidia) return most;
  return std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max() / block);
}

}  // namespace

Queue::Queue(int device) {
  check(hipSetDevice(device));
  check(hipGetDeviceProperties(&device_, device));
  hipStream_t stream = nullptr;
  check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  stream_.reset(stream);
  result_ = hip_runtime::allocate(granule);
  ticket_ = hip_runtime::allocate(granule);
  check(hipMemsetAsync(ticket_.get(), 0, granule, stream));
  void* pinned = nullptr;
  check(hipHostMalloc(&pinned, sizeof(Pinned), hipHostMallocMapped | hipHostMallocPortable));
  pinned_.reset(new (pinned) Pinned);
}

void Queue::reserve(std::size_t bytes) {
  if (bytes <= scratch_bytes_) return;
  synchronize();
  scratch_.reset();
  scratch_bytes_ = 0;
  scratch_ = hip_runtime::allocate(bytes);
  scratch_bytes_ = bytes;
}

void* Queue::take(std::size_t bytes) {
  const std::size_t offset = scratch_used_;
  scratch_used_ += ceil_div(bytes, granule) * granule;
  if (tracing()) return reinterpret_cast<void*>(granule + offset);
  if (scratch_used_ > std::min(scratch_limit_, scratch_bytes_)) {
    throw std::logic_error("a rung takes more scratch when it runs than when it was traced");
  }
  return scratch_.get() + offset;
}

void Queue::trace_launch(const void* kernel, const Shape& shape, const Pass& pass) {
  const std::size_t most = most_blocks(device_, shape.block);
  if (shape.grid > most) {
    throw NotPossible("needs a grid of " + std::to_string(shape.grid) + " blocks of " +
                      std::to_string(shape.block) + " threads, the device takes " +
                      std::to_string(most));
  }
  Launch launch{pass, static_cast<unsigned>(shape.grid), shape.block,
                hip_runtime::kernel_facts(device_, kernel, shape.block, shape.shared)};
  if (launch.kernel.blocks_per_unit == 0) {
    throw NotPossible("a block of " + std::to_string(shape.block) +
                      " threads does not fit on a multiprocessor: limited by " +
                      launch.kernel.limiter);
  }
  footprint_->launches.push_back(std::move(launch));
}

// A library launches its kernels itself. It reads its input in the first one and one partial of
// each block in a later one. How many elements in turn a thread adds up is not told: an even share,
// and no more than 64 above it, since blocks take whole tiles.
void Queue::trace_library(std::size_t n, std::size_t element, std::size_t accumulator,
                          const std::function<void()>& enqueue) {
  std::size_t values = n, bytes = element;
  for (auto& launch : hip_runtime::capture(stream(), device_, enqueue)) {
    const std::size_t grid = launch.grid, block = launch.block;
    const Pass pass{values * bytes, grid * accumulator, ceil_div(values, grid * block) + 64 + 10};
    footprint_->launches.push_back({pass, launch.grid, launch.block, std::move(launch.kernel)});
    values = grid;
    bytes = accumulator;
  }
}

}  // namespace ladder::hip
