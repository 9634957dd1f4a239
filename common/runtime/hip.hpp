#pragma once

// The words of the HIP run-time library, on AMD and on NVIDIA. Only units that are compiled as HIP
// include this; on NVIDIA they see another `cudaDeviceProp` than CUDA's own units do.

#include <cstddef>
#include <cstdint>

#include <hip/hip_runtime.h>

#include "common/accounting.hpp"
#include "common/runtime/runtime.hpp"

namespace ladder::runtime {

struct HipWords {
  using Code = hipError_t;
  using Stream = hipStream_t;
  using Event = hipEvent_t;
  using Graph = hipGraph_t;
  using Node = hipGraphNode_t;
  using Replay = hipGraphExec_t;

  /// Whether HIP is a set of headers over CUDA here.
#if defined(__HIP_PLATFORM_NVIDIA__)
  static constexpr bool on_nvidia = true;
#else
  static constexpr bool on_nvidia = false;
#endif

  static constexpr bool has_bulk_copies = false;
  static constexpr Code success = hipSuccess, no_memory = hipErrorOutOfMemory,
                        no_such_function = hipErrorInvalidDeviceFunction,
                        not_ready = hipErrorNotReady;
  static const char* text(Code code) { return hipGetErrorString(code); }
  static const char* name(Code code) { return hipGetErrorName(code); }
  static Code last_error() { return hipGetLastError(); }

  static Code use_device(int device) { return hipSetDevice(device); }
  static Code synchronize() { return hipDeviceSynchronize(); }
  static Code current_device(int* device) { return hipGetDevice(device); }
  /// Its PCI bus address: "0000:1b:00.0", in letters of either case.
  static Code address_of(char* text, int length, int device) {
    return hipDeviceGetPCIBusId(text, length, device);
  }

  /// What there is between two devices. `rank`: the driver's own order of the ways, 0 is the best.
  enum class Between : std::uint8_t { access, atomics, rank };
  static Code between(int* value, Between what, int from, int to) {
    const auto which = what == Between::access    ? hipDevP2PAttrAccessSupported
                       : what == Between::atomics ? hipDevP2PAttrNativeAtomicSupported
                                                  : hipDevP2PAttrPerformanceRank;
    return hipDeviceGetP2PAttribute(value, which, from, to);
  }
  static constexpr const char* who_tells_of_peers =
      on_nvidia ? "nvidia-smi topo -p2p r" : "rocm-smi --showtopoaccess";
  static Code can_reach(int* can, int from, int to) {
    return hipDeviceCanAccessPeer(can, from, to);
  }
  /// Lets the current device reach the memory of `other`, as it may do already.
  static Code reach(int other) {
    const Code code = hipDeviceEnablePeerAccess(other, 0);
    if (code != hipErrorPeerAccessAlreadyEnabled) return code;
    (void)last_error();
    return success;
  }

  template <class T>
  static Code allocate(T** memory, std::size_t bytes) {
    return hipMalloc(reinterpret_cast<void**>(memory), bytes);
  }
  /// Memory of the current device in which it sees what others write while a kernel runs. On AMD
  /// ordinary memory is not: its L2 keeps lines of the device's own memory, and what comes over the
  /// fabric passes it by, so that a kernel could read the old word for ever. Uncached memory is in
  /// no cache; before ROCm had it, fine-grained memory is what is coherent between devices.
  template <class T>
  static Code allocate_for_others(T** memory, std::size_t bytes) {
#if defined(__HIP_PLATFORM_NVIDIA__)
    return allocate(memory, bytes);
#elif defined(hipDeviceMallocUncached)
    return hipExtMallocWithFlags(reinterpret_cast<void**>(memory), bytes, hipDeviceMallocUncached);
#else
    return hipExtMallocWithFlags(reinterpret_cast<void**>(memory), bytes,
                                 hipDeviceMallocFinegrained);
#endif
  }
  static Code free(void* memory) { return hipFree(memory); }
  template <class T>
  static Code allocate_pinned(T** memory, std::size_t bytes) {
    return hipHostMalloc(reinterpret_cast<void**>(memory), bytes,
                         hipHostMallocMapped | hipHostMallocPortable);
  }
  static Code free_pinned(void* memory) { return hipHostFree(memory); }
  static Code memory_info(std::size_t* free, std::size_t* total) {
    return hipMemGetInfo(free, total);
  }
  static Code to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
  }
  static Code to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
  }
  static Code set(void* memory, int byte, std::size_t bytes, Stream stream) {
    return hipMemsetAsync(memory, byte, bytes, stream);
  }

  static Code create(Stream* stream) {
    return hipStreamCreateWithFlags(stream, hipStreamNonBlocking);
  }
  static Code destroy(Stream stream) { return hipStreamDestroy(stream); }
  static Code synchronize(Stream stream) { return hipStreamSynchronize(stream); }
  static Code query(Stream stream) { return hipStreamQuery(stream); }
  static Code create(Event* event) { return hipEventCreate(event); }
  static Code destroy(Event event) { return hipEventDestroy(event); }
  static Code record(Event event, Stream stream) { return hipEventRecord(event, stream); }
  static Code elapsed(float* milliseconds, Event start, Event stop) {
    return hipEventElapsedTime(milliseconds, start, stop);
  }

  static Code launch(const void* kernel, unsigned grid, unsigned block, void** parameters,
                     std::size_t shared, Stream stream) {
    return hipLaunchKernel(kernel, dim3(grid), dim3(block), parameters, shared, stream);
  }
  /// As `launch`, of blocks that are all resident at once; an error where they cannot be.
  static Code launch_together(const void* kernel, unsigned grid, unsigned block, void** parameters,
                              std::size_t shared, Stream stream) {
    return hipLaunchCooperativeKernel(kernel, dim3(grid), dim3(block), parameters,
                                      static_cast<unsigned>(shared), stream);
  }
  static Code occupy(int* blocks, const void* kernel, unsigned block, std::size_t shared) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, static_cast<int>(block),
                                                        shared);
  }
  /// Lets launches of `kernel` have so many bytes of dynamic shared memory per block.
  static Code allow_shared(const void* kernel, std::size_t bytes) {
    return hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes));
  }
  /// Registers per thread and static shared memory per block.
  static Code attributes(KernelFacts* facts, const void* kernel) {
    hipFuncAttributes found{};
    const Code code = hipFuncGetAttributes(&found, kernel);
    facts->registers = found.numRegs;
    facts->shared_bytes = found.sharedSizeBytes;
    return code;
  }
  /// Which of a unit's resources runs out first, as far as the device's properties say. A full
  /// house of threads is named before the rest: nothing could be better then.
  static const char* limiter(const void* kernel, unsigned block, std::size_t dynamic_shared) {
    KernelFacts facts;
    int device = 0, threads = 0, shared = 0, blocks = 0;
    if (attributes(&facts, kernel) != success ||
        occupy(&blocks, kernel, block, dynamic_shared) != success ||
        hipGetDevice(&device) != success ||
        hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, device) !=
            success ||
        hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
                              device) != success) {
      return "unknown";
    }
    const std::size_t next = static_cast<std::size_t>(blocks) + 1;
    if (next * block > static_cast<std::size_t>(threads)) return "threads";
    if (next * (facts.shared_bytes + dynamic_shared) > static_cast<std::size_t>(shared)) {
      return "shared memory";
    }
    return "registers or blocks";
  }

  static Code begin_capture(Stream stream) {
    return hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed);
  }
  static Code end_capture(Stream stream, Graph* graph) {
    return hipStreamEndCapture(stream, graph);
  }
  static Code destroy(Graph graph) { return hipGraphDestroy(graph); }
  static Code make(Replay* replay, Graph graph) {
    return hipGraphInstantiateWithFlags(replay, graph, 0);
  }
  static Code launch_graph(Replay replay, Stream stream) { return hipGraphLaunch(replay, stream); }
  static Code destroy(Replay replay) { return hipGraphExecDestroy(replay); }
  static Code nodes(Graph graph, Node* nodes, std::size_t* count) {
    return hipGraphGetNodes(graph, nodes, count);
  }
  static Code is_kernel(Node node, bool* answer) {
    hipGraphNodeType kind{};
    const Code code = hipGraphNodeGetType(node, &kind);
    *answer = kind == hipGraphNodeTypeKernel;
    return code;
  }
  using KernelNode = hipKernelNodeParams;
  static Code kernel_of(Node node, KernelNode* kernel) {
    return hipGraphKernelNodeGetParams(node, kernel);
  }

  /// Of the device's clock, from some time on.
  __device__ static std::uint64_t nanoseconds() {
#if defined(__HIP_PLATFORM_NVIDIA__)
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#elif defined( \
    __HIP_DEVICE_COMPILE__)  // HIP 5 declares it for the device alone: a counter of 100 MHz
    return 10 * static_cast<std::uint64_t>(wall_clock64());
#else
    return 0;
#endif
  }
};

template <class Owner>
using Hip = Runtime<HipWords, Owner>;

}  // namespace ladder::runtime
