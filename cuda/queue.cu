#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/backend.hpp"
#include "cuda/kernel_facts.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {
namespace {

constexpr std::size_t granule =
    256;  // bytes between pieces of scratch, and what cudaMalloc aligns to

void fill_identities(Pinned& pinned) {
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      with_type(type.type, [&]<Type t>() {
        with_operation(operation.operation, [&]<Operation o>() {
          const auto value = Function<o, native<t>>::identity();
          std::memcpy(&pinned.identity[static_cast<std::size_t>(t)][static_cast<std::size_t>(o)],
                      &value, sizeof value);
        });
      });
    }
  }
}

/// Kernel launches in a graph that was captured from one stream, in their order.
std::vector<cudaKernelNodeParams> launches_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::vector<cudaKernelNodeParams> launches;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType kind{};
    check(cudaGraphNodeGetType(node, &kind));
    if (kind == cudaGraphNodeTypeKernel) {
      check(cudaGraphKernelNodeGetParams(node, &launches.emplace_back()));
    }
  }
  return launches;
}

}  // namespace

Queue::Queue(int device) {
  check(cudaSetDevice(device));
  check(cudaGetDeviceProperties(&device_, device));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_.reset(stream);
  result_ = allocate(granule);
  ticket_ = allocate(granule);
  check(cudaMemsetAsync(ticket_.get(), 0, granule, stream));
  void* pinned = nullptr;
  check(cudaHostAlloc(&pinned, sizeof(Pinned), cudaHostAllocMapped | cudaHostAllocPortable));
  pinned_.reset(new (pinned) Pinned{});
  fill_identities(*pinned_);
}

void Queue::reserve(std::size_t bytes) {
  if (bytes <= scratch_bytes_) return;
  synchronize();
  scratch_.reset();
  scratch_bytes_ = 0;
  scratch_ = allocate(bytes);
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
                kernel_facts(device_, kernel, shape.block, shape.shared)};
  if (launch.kernel.blocks_per_unit == 0) {
    throw NotPossible("a block of " + std::to_string(shape.block) +
                      " threads does not fit on a multiprocessor: limited by " +
                      launch.kernel.limiter);
  }
  footprint_->launches.push_back(std::move(launch));
}

// A library launches its kernels itself: they are seen by capturing them into a graph, which is
// never run.

void Queue::begin_capture() {
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed));
}

void Queue::end_capture(cudaError_t code, std::size_t n, std::size_t element,
                        std::size_t accumulator) {
  cudaGraph_t captured = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream(), &captured);
  const std::unique_ptr<CUgraph_st, cudaError_t (*)(cudaGraph_t)> graph(captured, cudaGraphDestroy);
  check(code);
  check(ended);
  // The library reads its input in the first kernel and one partial of each block in a later one.
  // How many elements in turn a thread adds up is not told: an even share, and no more than 64
  // above it, since blocks take whole tiles.
  std::size_t values = n, bytes = element;
  for (const auto& launch : launches_of(captured)) {
    const std::size_t grid = launch.gridDim.x, block = launch.blockDim.x;
    const Pass pass{values * bytes, grid * accumulator, ceil_div(values, grid * block) + 64 + 10};
    footprint_->launches.push_back({pass, launch.gridDim.x, launch.blockDim.x, {}});
    values = grid;
    bytes = accumulator;
    try {
      footprint_->launches.back().kernel =
          kernel_facts(device_, launch.func, launch.blockDim.x, launch.sharedMemBytes);
    } catch (const Error&) {  // a kernel that the run-time library does not know by its address
      cudaGetLastError();
      footprint_->launches.back().kernel.limiter = "not told by the library";
    }
  }
}

}  // namespace ladder::cuda
