#pragma once

// Resources of a compiled kernel on a device, and capture of kernels that other code launches.

#include <cstddef>
#include <functional>
#include <vector>

#include "common/runtime/gpu_runtime.hpp"

namespace ladder::LADDER_MODEL {

/// Registers (vector registers on AMD), shared memory (with `dynamic_shared` bytes) and resident
/// blocks of `kernel` on the current device, for blocks of `block` threads. `kernel`: a host
/// pointer to a `__global__` function. Throws `Error`.
inline KernelFacts kernel_facts(const void* kernel, unsigned block, std::size_t dynamic_shared) {
  KernelFacts facts;
  Runtime::check(Runtime::attributes(&facts, kernel));
  facts.shared_bytes += dynamic_shared;
  Runtime::check(Runtime::occupy(&facts.blocks_per_unit, kernel, block, dynamic_shared));
  facts.limiter = Runtime::limiter(kernel, block, dynamic_shared);
  return facts;
}

using Captured = Runtime::Owned<Runtime::Graph>;

/// Captures what `enqueue()` puts onto `stream`, without running it. `enqueue` must not wait for
/// the stream. Throws `Error`, and whatever `enqueue` throws; the capture has ended then.
inline Captured graph_of(Runtime::Stream stream, const std::function<void()>& enqueue) {
  const auto end = [&](Captured& owner) {
    Runtime::Graph graph = nullptr;
    const auto code = LADDER_GPU(StreamEndCapture)(stream, &graph);
    owner.reset(graph);
    return code;
  };
  Runtime::check(LADDER_GPU(StreamBeginCapture)(stream, LADDER_GPU(StreamCaptureModeRelaxed)));
  Captured graph;
  try {
    enqueue();
  } catch (...) {
    (void)end(graph);  // the first error is rethrown
    throw;
  }
  Runtime::check(end(graph));
  return graph;
}

/// The kernels that `enqueue()` puts onto `stream`, in order, without passes; they are not run. A
/// kernel that the runtime cannot find by its address (of a module loaded at run time) is only
/// counted. Throws as `graph_of`.
inline std::vector<Launch> capture(Runtime::Stream stream, const std::function<void()>& enqueue) {
  const auto graph = graph_of(stream, enqueue);
  std::size_t count = 0;
  Runtime::check(LADDER_GPU(GraphGetNodes)(graph.get(), nullptr, &count));
  std::vector<LADDER_GPU(GraphNode_t)> nodes(count);
  Runtime::check(LADDER_GPU(GraphGetNodes)(graph.get(), nodes.data(), &count));
  std::vector<Launch> launches;
  for (const auto node : nodes) {
    LADDER_GPU(GraphNodeType) kind{};
    Runtime::check(LADDER_GPU(GraphNodeGetType)(node, &kind));
    if (kind != LADDER_GPU(GraphNodeTypeKernel)) continue;
    Launch& found = launches.emplace_back();
    found.kernel.limiter = "not told by the library";
    LADDER_GPU(KernelNodeParams) kernel{};
    if (const auto code = LADDER_GPU(GraphKernelNodeGetParams)(node, &kernel);
        code != Runtime::success) {
      if (code != LADDER_GPU(ErrorInvalidDeviceFunction)) Runtime::check(code);
      (void)Runtime::last_error();
      continue;
    }
    found.grid = kernel.gridDim.x;
    found.block = kernel.blockDim.x * kernel.blockDim.y * kernel.blockDim.z;
    try {
      found.kernel = kernel_facts(kernel.func, found.block, kernel.sharedMemBytes);
    } catch (const Runtime::Error&) {
      (void)Runtime::last_error();
    }
  }
  return launches;
}

}  // namespace ladder::LADDER_MODEL
