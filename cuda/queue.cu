#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/backend.hpp"
#include "common/nvidia/capture.hpp"
#include "common/nvidia/kernel_facts.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {
namespace {

/// Bytes between pieces of scratch, and what cudaMalloc aligns to.
constexpr std::size_t granule = 256;

}  // namespace

Queue::Queue(int device) {
  check(cudaSetDevice(device));
  check(cudaGetDeviceProperties(&device_, device));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_.reset(stream);
  result_ = nvidia::allocate(granule);
  ticket_ = nvidia::allocate(granule);
  check(cudaMemsetAsync(ticket_.get(), 0, granule, stream));
  void* pinned = nullptr;
  check(cudaHostAlloc(&pinned, sizeof(Pinned), cudaHostAllocMapped | cudaHostAllocPortable));
  pinned_.reset(new (pinned) Pinned);
}

void Queue::reserve(std::size_t bytes) {
  if (bytes <= scratch_bytes_) return;
  synchronize();
  scratch_.reset();
  scratch_bytes_ = 0;
  scratch_ = nvidia::allocate(bytes);
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
  if (shape.grid > static_cast<std::size_t>(device_.maxGridSize[0])) {
    throw NotPossible("needs a grid of " + std::to_string(shape.grid) + " blocks of " +
                      std::to_string(shape.block) + " threads, the device takes " +
                      std::to_string(device_.maxGridSize[0]));
  }
  Launch launch{pass, static_cast<unsigned>(shape.grid), shape.block,
                nvidia::kernel_facts(device_, kernel, shape.block, shape.shared)};
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
  for (auto& launch : nvidia::capture(stream(), device_, enqueue)) {
    const std::size_t grid = launch.grid, block = launch.block;
    const Pass pass{values * bytes, grid * accumulator, ceil_div(values, grid * block) + 64 + 10};
    footprint_->launches.push_back({pass, launch.grid, launch.block, std::move(launch.kernel)});
    values = grid;
    bytes = accumulator;
  }
}

}  // namespace ladder::cuda
