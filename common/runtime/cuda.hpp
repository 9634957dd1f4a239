#pragma once

// The words of the CUDA run-time library. Only units that are compiled as CUDA include this.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include <cuda_occupancy.h>
#include <cuda_runtime.h>

#include "common/accounting.hpp"
#include "common/runtime/runtime.hpp"

namespace ladder::runtime {

struct CudaWords {
  using Code = cudaError_t;
  using Stream = cudaStream_t;
  using Event = cudaEvent_t;
  using Graph = cudaGraph_t;
  using Node = cudaGraphNode_t;
  using Replay = cudaGraphExec_t;

  static constexpr bool has_bulk_copies = true;  ///< on a device that says so
  static constexpr Code success = cudaSuccess, no_memory = cudaErrorMemoryAllocation,
                        no_such_function = cudaErrorInvalidDeviceFunction,
                        not_ready = cudaErrorNotReady;
  static const char* text(Code code) { return cudaGetErrorString(code); }
  static const char* name(Code code) { return cudaGetErrorName(code); }
  static Code last_error() { return cudaGetLastError(); }

  static Code use_device(int device) { return cudaSetDevice(device); }
  static Code synchronize() { return cudaDeviceSynchronize(); }
  static Code current_device(int* device) { return cudaGetDevice(device); }
  /// Its PCI bus address: "0000:1b:00.0", in letters of either case.
  static Code address_of(char* text, int length, int device) {
    return cudaDeviceGetPCIBusId(text, length, device);
  }

  /// What there is between two devices. `rank`: the driver's own order of the ways, 0 is the best.
  enum class Between : std::uint8_t { access, atomics, rank };
  static Code between(int* value, Between what, int from, int to) {
    const auto which = what == Between::access    ? cudaDevP2PAttrAccessSupported
                       : what == Between::atomics ? cudaDevP2PAttrNativeAtomicSupported
                                                  : cudaDevP2PAttrPerformanceRank;
    return cudaDeviceGetP2PAttribute(value, which, from, to);
  }
  static constexpr const char* who_tells_of_peers = "nvidia-smi topo -p2p r";
  static Code can_reach(int* can, int from, int to) {
    return cudaDeviceCanAccessPeer(can, from, to);
  }
  /// Lets the current device reach the memory of `other`, as it may do already.
  static Code reach(int other) {
    const Code code = cudaDeviceEnablePeerAccess(other, 0);
    if (code != cudaErrorPeerAccessAlreadyEnabled) return code;
    (void)last_error();
    return success;
  }

  template <class T>
  static Code allocate(T** memory, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
  }
  /// Memory of the current device in which it sees what others write while a kernel runs.
  template <class T>
  static Code allocate_for_others(T** memory, std::size_t bytes) {
    return allocate(memory, bytes);
  }
  static Code free(void* memory) { return cudaFree(memory); }
  template <class T>
  static Code allocate_pinned(T** memory, std::size_t bytes) {
    return cudaHostAlloc(reinterpret_cast<void**>(memory), bytes,
                         cudaHostAllocMapped | cudaHostAllocPortable);
  }
  static Code free_pinned(void* memory) { return cudaFreeHost(memory); }
  static Code memory_info(std::size_t* free, std::size_t* total) {
    return cudaMemGetInfo(free, total);
  }
  static Code to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
  }
  static Code to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
  }
  static Code set(void* memory, int byte, std::size_t bytes, Stream stream) {
    return cudaMemsetAsync(memory, byte, bytes, stream);
  }

  static Code create(Stream* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  }
  static Code destroy(Stream stream) { return cudaStreamDestroy(stream); }
  static Code synchronize(Stream stream) { return cudaStreamSynchronize(stream); }
  static Code query(Stream stream) { return cudaStreamQuery(stream); }
  static Code create(Event* event) { return cudaEventCreate(event); }
  static Code destroy(Event event) { return cudaEventDestroy(event); }
  static Code record(Event event, Stream stream) { return cudaEventRecord(event, stream); }
  static Code elapsed(float* milliseconds, Event start, Event stop) {
    return cudaEventElapsedTime(milliseconds, start, stop);
  }

  static Code launch(const void* kernel, unsigned grid, unsigned block, void** parameters,
                     std::size_t shared, Stream stream) {
    return cudaLaunchKernel(kernel, dim3(grid), dim3(block), parameters, shared, stream);
  }
  /// As `launch`, of blocks that are all resident at once; an error where they cannot be.
  static Code launch_together(const void* kernel, unsigned grid, unsigned block, void** parameters,
                              std::size_t shared, Stream stream) {
    return cudaLaunchCooperativeKernel(kernel, dim3(grid), dim3(block), parameters, shared, stream);
  }
  /// As `launch`, in clusters of `cluster` blocks each, of which `grid` is a multiple.
  static Code launch_in_clusters(unsigned cluster, const void* kernel, unsigned grid,
                                 unsigned block, void** parameters, std::size_t shared,
                                 Stream stream) {
    ClusterAttributes attributes;
    const auto config = clustered(attributes, cluster, grid, block, shared, stream);
    return cudaLaunchKernelExC(&config, kernel, parameters);
  }
  /// How many clusters the whole device holds at once.
  static Code occupy(int* clusters, unsigned cluster, const void* kernel, unsigned block,
                     std::size_t shared) {
    ClusterAttributes attributes;
    const auto config = clustered(attributes, cluster, cluster, block, shared, nullptr);
    return cudaOccupancyMaxActiveClusters(clusters, kernel, &config);
  }
  static Code occupy(int* blocks, const void* kernel, unsigned block, std::size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, static_cast<int>(block),
                                                         shared);
  }
  /// Lets launches of `kernel` have so many bytes of dynamic shared memory per block.
  static Code allow_shared(const void* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bytes));
  }
  /// Registers per thread and static shared memory per block.
  static Code attributes(KernelFacts* facts, const void* kernel) {
    cudaFuncAttributes found{};
    const Code code = cudaFuncGetAttributes(&found, kernel);
    facts->registers = found.numRegs;
    facts->shared_bytes = found.sharedSizeBytes;
    return code;
  }
  /// Which of an SM's resources runs out first. Where several do at once, a full house of threads
  /// is named before the rest: nothing could be better then.
  static const char* limiter(const void* kernel, unsigned block, std::size_t dynamic_shared) {
    cudaFuncAttributes attributes{};
    int device = 0;
    cudaGetDevice(&device);
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return "unknown";
    static std::map<int, cudaOccDeviceProp> known;  // the question is slow
    auto found = known.find(device);
    if (found == known.end()) {
      cudaDeviceProp properties;
      if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "unknown";
      found = known.emplace(device, cudaOccDeviceProp(properties)).first;
    }
    const cudaOccFuncAttributes kernel_side(attributes);
    const cudaOccDeviceState state;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &found->second, &kernel_side, &state,
                                                static_cast<int>(block),
                                                dynamic_shared) != CUDA_OCC_SUCCESS) {
      return "unknown: a device newer than this toolkit";
    }
    if ((result.limitingFactors & OCC_LIMIT_WARPS) != 0) return "threads";
    if ((result.limitingFactors & OCC_LIMIT_REGISTERS) != 0) return "registers";
    if ((result.limitingFactors & OCC_LIMIT_SHARED_MEMORY) != 0) return "shared memory";
    return "blocks";
  }

  static Code begin_capture(Stream stream) {
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  }
  static Code end_capture(Stream stream, Graph* graph) {
    return cudaStreamEndCapture(stream, graph);
  }
  static Code destroy(Graph graph) { return cudaGraphDestroy(graph); }
  static Code make(Replay* replay, Graph graph) { return cudaGraphInstantiate(replay, graph, 0); }
  static Code launch_graph(Replay replay, Stream stream) { return cudaGraphLaunch(replay, stream); }
  static Code destroy(Replay replay) { return cudaGraphExecDestroy(replay); }
  static Code nodes(Graph graph, Node* nodes, std::size_t* count) {
    return cudaGraphGetNodes(graph, nodes, count);
  }
  static Code is_kernel(Node node, bool* answer) {
    cudaGraphNodeType kind{};
    const Code code = cudaGraphNodeGetType(node, &kind);
    *answer = kind == cudaGraphNodeTypeKernel;
    return code;
  }
  using KernelNode = cudaKernelNodeParams;
  static Code kernel_of(Node node, KernelNode* kernel) {
    return cudaGraphKernelNodeGetParams(node, kernel);
  }

  /// Of the device's clock, from some time on.
  __device__ static std::uint64_t nanoseconds() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }

 private:
  using ClusterAttributes = std::array<cudaLaunchAttribute, 2>;

  /// A cluster's blocks may share SMs. Left to itself the device spreads them, and where the SMs of
  /// a group are no multiple of a cluster's blocks some stay without any.
  static cudaLaunchConfig_t clustered(ClusterAttributes& attributes, unsigned cluster,
                                      unsigned grid, unsigned block, std::size_t shared,
                                      Stream stream) {
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    return config;
  }
};

template <class Owner>
using Cuda = Runtime<CudaWords, Owner>;

}  // namespace ladder::runtime
