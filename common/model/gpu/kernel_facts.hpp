#pragma once

// What a compiled kernel occupies on a device, and the kernels that somebody else's code launches.

#include <cstddef>
#include <functional>
#include <vector>

#include "common/runtime/gpu_runtime.hpp"

namespace ladder::LADDER_MODEL {

/// Registers (on AMD those of vectors), shared memory (`dynamic_shared` bytes included) and
/// resident blocks of `kernel`, a host pointer to a `__global__` function, launched on the current
/// device with blocks of `block` threads. Throws `Error`.
inline KernelFacts kernel_facts(const void* kernel, unsigned block, std::size_t dynamic_shared) {
  KernelFacts facts;
  Runtime::check(Runtime::attributes(&facts, kernel));
  facts.shared_bytes += dynamic_shared;
  Runtime::check(Runtime::occupy(&facts.blocks_per_unit, kernel, block, dynamic_shared));
  facts.limiter = Runtime::limiter(kernel, block, dynamic_shared);
  return facts;
}

using Captured = Runtime::Owned<Runtime::Graph>;

/// What `enqueue()` puts onto `stream`, which does not run. `enqueue` may do whatever does not wait
/// for the stream. Throws `Error`, and whatever `enqueue` throws; the stream is no longer captured
/// then.
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
    (void)end(graph);  // what went wrong is known already
    throw;
  }
  Runtime::check(end(graph));
  return graph;
}

/// The kernels that `enqueue()` puts onto `stream`, in their order, with nothing said of their
/// passes; they are not run. A kernel that the library does not know by its address, of a module
/// that was loaded at run time, is counted and no more. Throws as `graph_of`.
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
