#pragma once

// The run-time library of the GPU model, CUDA's or HIP's (on AMD and on NVIDIA): calls that can
// fail, own objects, or differ. LADDER_GPU names all others. Include it only in units compiled as
// CUDA or HIP. Code that uses it is in the namespace of its model: HIP on NVIDIA sees another
// `cudaDeviceProp` than CUDA.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "common/accounting.hpp"
#include "ladder/gpu/detail/gpu_model.hpp"  // LADDER_GPU(Malloc): cudaMalloc or hipMalloc
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
#define LADDER_IS_CUDA 0
#else
#define LADDER_IS_CUDA 1
#include <cuda_occupancy.h>
#endif

namespace ladder::LADDER_MODEL {

/// Bytes of shared memory, static and dynamic, that a block of every kernel can have by default.
/// More must be requested from the library.
inline constexpr std::size_t shared_without_asking = 48 << 10;

struct Runtime {
  using Code = LADDER_GPU(Error_t);
  using Stream = LADDER_GPU(Stream_t);
  using Event = LADDER_GPU(Event_t);
  using Graph = LADDER_GPU(Graph_t);
  using Replay = LADDER_GPU(GraphExec_t);

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)
  static constexpr bool on_nvidia = false;
#else
  static constexpr bool on_nvidia = true;
#endif
  static constexpr Code success = LADDER_GPU(Success);

  /// Error code of the library. The error is still set: `recover` of the device clears it.
  class Error : public std::runtime_error {
   public:
    Error(Code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
    Code code() const { return code_; }

   private:
    Code code_;
  };

  /// Throws `Error`, which names the call site, unless `code` is a success.
  static void check(Code code, std::source_location where = std::source_location::current()) {
    if (code == success) [[likely]]
      return;
    const std::string file = where.file_name();
    throw Error(code, std::string(LADDER_GPU(GetErrorString)(code)) + " (" +
                          LADDER_GPU(GetErrorName)(code) + ", " +
                          file.substr(file.find_last_of('/') + 1) + ":" +
                          std::to_string(where.line()) + ")");
  }
  static Code last_error() { return LADDER_GPU(GetLastError)(); }

  /// Destroys with the owner. Ignores errors: on a lost device it fails.
  struct Destroy {
    void operator()(Stream stream) const noexcept { (void)LADDER_GPU(StreamDestroy)(stream); }
    void operator()(Event event) const noexcept { (void)LADDER_GPU(EventDestroy)(event); }
    void operator()(Graph graph) const noexcept { (void)LADDER_GPU(GraphDestroy)(graph); }
    void operator()(Replay replay) const noexcept { (void)LADDER_GPU(GraphExecDestroy)(replay); }
  };
  template <class Handle>
  using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

  struct Free {
    void operator()(std::byte* memory) const noexcept { (void)LADDER_GPU(Free)(memory); }
  };
  struct FreePinned {
    void operator()(std::byte* memory) const noexcept { (void)free_pinned(memory); }
  };

  /// Memory of the current device in which a running kernel sees what other devices write. Ordinary
  /// memory fails on AMD: the L2 keeps lines of the device's own memory, and writes over the fabric
  /// bypass it, so a kernel could read the old word forever. Uncached memory is in no cache; ROCm
  /// versions without it have fine-grained memory, coherent between devices.
  template <class T>
  static Code allocate_for_others(T** memory, std::size_t bytes) {
#if !defined(__HIP_PLATFORM_AMD__)
    return LADDER_GPU(Malloc)(reinterpret_cast<void**>(memory), bytes);
#elif defined(hipDeviceMallocUncached)
    return hipExtMallocWithFlags(reinterpret_cast<void**>(memory), bytes, hipDeviceMallocUncached);
#else
    return hipExtMallocWithFlags(reinterpret_cast<void**>(memory), bytes,
                                 hipDeviceMallocFinegrained);
#endif
  }

  static Code launch(const void* kernel, unsigned grid, unsigned block, void** parameters,
                     std::size_t shared, Stream stream) {
    return LADDER_GPU(LaunchKernel)(kernel, dim3(grid), dim3(block), parameters, shared, stream);
  }
  /// As `launch`, with all blocks resident at once; returns an error if they cannot be.
  static Code launch_together(const void* kernel, unsigned grid, unsigned block, void** parameters,
                              std::size_t shared, Stream stream) {
    return LADDER_GPU(LaunchCooperativeKernel)(kernel, dim3(grid), dim3(block), parameters,
                                               static_cast<unsigned>(shared), stream);
  }
  static Code occupy(int* blocks, const void* kernel, unsigned block, std::size_t shared) {
    return LADDER_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(blocks, kernel,
                                                                 static_cast<int>(block), shared);
  }
  /// Allows launches of `kernel` with `bytes` bytes of dynamic shared memory per block.
  static Code allow_shared(const void* kernel, std::size_t bytes) {
    return LADDER_GPU(FuncSetAttribute)(kernel, LADDER_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                        static_cast<int>(bytes));
  }
  /// Registers per thread and static shared memory per block.
  static Code attributes(KernelFacts* facts, const void* kernel) {
    LADDER_GPU(FuncAttributes) found{};
    const Code code = LADDER_GPU(FuncGetAttributes)(&found, kernel);
    facts->registers = found.numRegs;
    facts->shared_bytes = found.sharedSizeBytes;
    return code;
  }

  /// Device clock in nanoseconds, from an arbitrary origin.
  __device__ static std::uint64_t nanoseconds() {
#if !defined(__HIP_PLATFORM_AMD__)
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#elif defined(__HIP_DEVICE_COMPILE__)  // device-only in HIP 5; a counter of 100 MHz
    return 10 * static_cast<std::uint64_t>(wall_clock64());
#else
    return 0;
#endif
  }

// Calls that only one of the two has, or that differ.
#if !LADDER_IS_CUDA

  static constexpr const char* model = "hip";
  static constexpr Code no_memory = hipErrorOutOfMemory;

  template <class T>
  static Code allocate_pinned(T** memory, std::size_t bytes) {
    return hipHostMalloc(reinterpret_cast<void**>(memory), bytes,
                         hipHostMallocMapped | hipHostMallocPortable);
  }
  static Code free_pinned(void* memory) { return hipHostFree(memory); }

  /// The resource of a compute unit that runs out first, as far as the device's properties show.
  /// Full occupancy by threads takes precedence: nothing could be better then.
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
#else

  static constexpr const char* model = "cuda";
  static constexpr Code no_memory = cudaErrorMemoryAllocation;

  template <class T>
  static Code allocate_pinned(T** memory, std::size_t bytes) {
    return cudaHostAlloc(reinterpret_cast<void**>(memory), bytes,
                         cudaHostAllocMapped | cudaHostAllocPortable);
  }
  static Code free_pinned(void* memory) { return cudaFreeHost(memory); }

  /// As `launch`, but the kernel may start while the previous one on the stream ends, and waits for
  /// it itself: programmatic dependent launch, on devices of compute capability 9.0.
  static Code launch_dependent(const void* kernel, unsigned grid, unsigned block, void** parameters,
                               std::size_t shared, Stream stream) {
    cudaLaunchAttribute overlapping{};
    overlapping.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlapping.val.programmaticStreamSerializationAllowed = 1;
    const auto config = configured({&overlapping, 1}, grid, block, shared, stream);
    return cudaLaunchKernelExC(&config, kernel, parameters);
  }
  /// As `launch`, in clusters of `cluster` blocks each; `grid` must be a multiple of `cluster`.
  static Code launch_in_clusters(unsigned cluster, const void* kernel, unsigned grid,
                                 unsigned block, void** parameters, std::size_t shared,
                                 Stream stream) {
    ClusterAttributes attributes;
    const auto config = clustered(attributes, cluster, grid, block, shared, stream);
    return cudaLaunchKernelExC(&config, kernel, parameters);
  }
  /// Number of clusters that the whole device holds at once.
  static Code occupy(int* clusters, unsigned cluster, const void* kernel, unsigned block,
                     std::size_t shared) {
    ClusterAttributes attributes;
    const auto config = clustered(attributes, cluster, cluster, block, shared, nullptr);
    return cudaOccupancyMaxActiveClusters(clusters, kernel, &config);
  }
  /// The resource of an SM that runs out first. If several do at once, full occupancy by threads
  /// takes precedence: nothing could be better then.
  static const char* limiter(const void* kernel, unsigned block, std::size_t dynamic_shared) {
    cudaFuncAttributes attributes{};
    int device = 0;
    cudaGetDevice(&device);
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return "unknown";
    static std::map<int, cudaOccDeviceProp> known;  // the query is slow
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

 private:
  using ClusterAttributes = std::array<cudaLaunchAttribute, 2>;

  /// Lets a cluster's blocks share SMs. By default the device spreads them; if the SM count of a
  /// group is not a multiple of the cluster size, some SMs then stay idle.
  static cudaLaunchConfig_t clustered(ClusterAttributes& attributes, unsigned cluster,
                                      unsigned grid, unsigned block, std::size_t shared,
                                      Stream stream) {
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
    return configured(attributes, grid, block, shared, stream);
  }
  static cudaLaunchConfig_t configured(std::span<cudaLaunchAttribute> attributes, unsigned grid,
                                       unsigned block, std::size_t shared, Stream stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    return config;
  }
#endif
};

}  // namespace ladder::LADDER_MODEL
