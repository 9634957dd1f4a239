#include <memory>

#include "common/nvidia/capture.hpp"
#include "common/nvidia/check.hpp"
#include "common/nvidia/kernel_facts.hpp"

namespace ladder::nvidia {
namespace {

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
};
using Graph = std::unique_ptr<CUgraph_st, DestroyGraph>;

Graph captured_from(cudaStream_t stream, const std::function<void()>& enqueue) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  cudaGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);  // what went wrong is known already
    const Graph owner(graph);
    throw;
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  Graph owner(graph);
  check(ended);
  return owner;
}

/// What one node launches. A kernel that the run-time library does not know by its address, of a
/// module that was loaded at run time, is counted and no more.
Captured kernel_of(cudaGraphNode_t node, const cudaDeviceProp& device) {
  Captured found;
  found.kernel.limiter = "not told by the library";
  cudaKernelNodeParams launch{};
  if (const cudaError_t code = cudaGraphKernelNodeGetParams(node, &launch); code != cudaSuccess) {
    if (code != cudaErrorInvalidDeviceFunction) check(code);
    cudaGetLastError();
    return found;
  }
  found.grid = launch.gridDim.x;
  found.block = launch.blockDim.x * launch.blockDim.y * launch.blockDim.z;
  found.dynamic_shared = launch.sharedMemBytes;
  try {
    found.kernel = kernel_facts(device, launch.func, found.block, launch.sharedMemBytes);
  } catch (const Error&) {
    cudaGetLastError();
  }
  return found;
}

}  // namespace

std::vector<Captured> capture(cudaStream_t stream, const cudaDeviceProp& device,
                              const std::function<void()>& enqueue) {
  const Graph graph = captured_from(stream, enqueue);
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph.get(), nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph.get(), nodes.data(), &count));
  std::vector<Captured> kernels;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType kind{};
    check(cudaGraphNodeGetType(node, &kind));
    if (kind != cudaGraphNodeTypeKernel) continue;
    kernels.push_back(kernel_of(node, device));
  }
  return kernels;
}

}  // namespace ladder::nvidia
