#include <memory>
#include <type_traits>

#include "common/hip_runtime/capture.hpp"
#include "common/hip_runtime/check.hpp"
#include "common/hip_runtime/kernel_facts.hpp"

namespace ladder::hip_runtime {
namespace {

struct DestroyGraph {
  void operator()(hipGraph_t graph) const noexcept { (void)hipGraphDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<hipGraph_t>, DestroyGraph>;

Graph captured_from(hipStream_t stream, const std::function<void()>& enqueue) {
  check(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  hipGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    (void)hipStreamEndCapture(stream, &graph);  // what went wrong is known already
    const Graph owner(graph);
    throw;
  }
  const hipError_t ended = hipStreamEndCapture(stream, &graph);
  Graph owner(graph);
  check(ended);
  return owner;
}

/// What one node launches. A kernel that the run-time library does not know by its address, of a
/// module that was loaded at run time, is counted and no more.
Captured kernel_of(hipGraphNode_t node, const hipDeviceProp_t& device) {
  Captured found;
  found.kernel.limiter = "not told by the library";
  hipKernelNodeParams launch{};
  if (const hipError_t code = hipGraphKernelNodeGetParams(node, &launch); code != hipSuccess) {
    if (code != hipErrorInvalidDeviceFunction) check(code);
    (void)hipGetLastError();
    return found;
  }
  found.grid = launch.gridDim.x;
  found.block = launch.blockDim.x * launch.blockDim.y * launch.blockDim.z;
  found.dynamic_shared = launch.sharedMemBytes;
  try {
    found.kernel = kernel_facts(device, launch.func, found.block, launch.sharedMemBytes);
  } catch (const Error&) {
    (void)hipGetLastError();
  }
  return found;
}

}  // namespace

std::vector<Captured> capture(hipStream_t stream, const hipDeviceProp_t& device,
                              const std::function<void()>& enqueue) {
  const Graph graph = captured_from(stream, enqueue);
  std::size_t count = 0;
  check(hipGraphGetNodes(graph.get(), nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  check(hipGraphGetNodes(graph.get(), nodes.data(), &count));
  std::vector<Captured> kernels;
  for (const hipGraphNode_t node : nodes) {
    hipGraphNodeType kind{};
    check(hipGraphNodeGetType(node, &kind));
    if (kind != hipGraphNodeTypeKernel) continue;
    kernels.push_back(kernel_of(node, device));
  }
  return kernels;
}

}  // namespace ladder::hip_runtime
