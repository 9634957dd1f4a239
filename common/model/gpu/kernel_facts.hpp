#pragma once

// What a compiled kernel occupies on a device, and the kernels that somebody else's code launches.

#include <cstddef>
#include <functional>
#include <vector>

#include "common/accounting.hpp"

namespace ladder::gpu {

/// Registers (on AMD those of vectors), shared memory (`dynamic_shared` bytes included) and
/// resident blocks of `kernel`, a host pointer to a `__global__` function, launched on the current
/// device with blocks of `block` threads. Throws `Error`.
template <class Runtime>
KernelFacts kernel_facts(const void* kernel, unsigned block, std::size_t dynamic_shared) {
  KernelFacts facts;
  Runtime::check(Runtime::attributes(&facts, kernel));
  facts.shared_bytes += dynamic_shared;
  Runtime::check(Runtime::occupy(&facts.blocks_per_unit, kernel, block, dynamic_shared));
  facts.limiter = Runtime::limiter(kernel, block, dynamic_shared);
  return facts;
}

template <class Runtime>
using Graph = typename Runtime::template Owned<typename Runtime::Graph>;

/// What `enqueue()` puts onto `stream`, which does not run. `enqueue` may do whatever does not wait
/// for the stream. Throws `Error`, and whatever `enqueue` throws; the stream is no longer captured
/// then.
template <class Runtime>
Graph<Runtime> graph_of(typename Runtime::Stream stream, const std::function<void()>& enqueue) {
  const auto end = [&](Graph<Runtime>& owner) {
    typename Runtime::Graph graph = nullptr;
    const auto code = Runtime::end_capture(stream, &graph);
    owner.reset(graph);
    return code;
  };
  Runtime::check(Runtime::begin_capture(stream));
  Graph<Runtime> graph;
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
template <class Runtime>
std::vector<Launch> capture(typename Runtime::Stream stream, const std::function<void()>& enqueue) {
  const auto graph = graph_of<Runtime>(stream, enqueue);
  std::size_t count = 0;
  Runtime::check(Runtime::nodes(graph.get(), nullptr, &count));
  std::vector<typename Runtime::Node> nodes(count);
  Runtime::check(Runtime::nodes(graph.get(), nodes.data(), &count));
  std::vector<Launch> launches;
  for (const auto node : nodes) {
    bool is_kernel = false;
    Runtime::check(Runtime::is_kernel(node, &is_kernel));
    if (!is_kernel) continue;
    Launch& found = launches.emplace_back();
    found.kernel.limiter = "not told by the library";
    typename Runtime::KernelNode kernel{};
    if (const auto code = Runtime::kernel_of(node, &kernel); code != Runtime::success) {
      if (code != Runtime::no_such_function) Runtime::check(code);
      (void)Runtime::last_error();
      continue;
    }
    found.grid = kernel.gridDim.x;
    found.block = kernel.blockDim.x * kernel.blockDim.y * kernel.blockDim.z;
    try {
      found.kernel = kernel_facts<Runtime>(kernel.func, found.block, kernel.sharedMemBytes);
    } catch (const typename Runtime::Error&) {
      (void)Runtime::last_error();
    }
  }
  return launches;
}

}  // namespace ladder::gpu
