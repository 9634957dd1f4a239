#pragma once

// The GPU model of a translation unit (CUDA or HIP), and its run-time library under common names.

#include <atomic>
#include <cstddef>

#include "ladder/version.hpp"

/// LADDER_MODEL: the namespace, cuda or hip. LADDER_GPU(Malloc): cudaMalloc or hipMalloc.
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
#include <hip/hip_runtime.h>
#define LADDER_MODEL hip
#define LADDER_GPU(word) hip##word

namespace ladder::hip::LADDER_VERSION::reduce_detail {

inline constexpr auto number_of_sms = hipDeviceAttributeMultiprocessorCount,
                      cache_bytes = hipDeviceAttributeL2CacheSize,
                      memory_clock = hipDeviceAttributeMemoryClockRate,
                      bus_width = hipDeviceAttributeMemoryBusWidth;

}  // namespace ladder::hip::LADDER_VERSION::reduce_detail
#else
#include <cuda_runtime.h>
#define LADDER_MODEL cuda
#define LADDER_GPU(word) cuda##word

namespace ladder::cuda::LADDER_VERSION::reduce_detail {

inline constexpr auto number_of_sms = cudaDevAttrMultiProcessorCount,
                      cache_bytes = cudaDevAttrL2CacheSize,
                      memory_clock = cudaDevAttrMemoryClockRate,
                      bus_width = cudaDevAttrGlobalMemoryBusWidth;

}  // namespace ladder::cuda::LADDER_VERSION::reduce_detail
#endif

#include "ladder/detail/elements.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

using namespace ladder::reduce_detail;

using Error = LADDER_GPU(Error_t);
using Stream = LADDER_GPU(Stream_t);
inline constexpr auto success = LADDER_GPU(Success), invalid_value = LADDER_GPU(ErrorInvalidValue);

inline Error find_device(int* device) { return LADDER_GPU(GetDevice)(device); }
template <class Attribute>
Error find_attribute(int* value, Attribute attribute, int device) {
  return LADDER_GPU(DeviceGetAttribute)(value, attribute, device);
}
inline Error enqueue_set(void* memory, int byte, std::size_t bytes, Stream stream) {
  return LADDER_GPU(MemsetAsync)(memory, byte, bytes, stream);
}
inline Error launch(const void* kernel, unsigned blocks, unsigned block, void** arguments,
                    Stream stream) {
  return LADDER_GPU(LaunchKernel)(kernel, dim3(blocks), dim3(block), arguments, 0, stream);
}
/// Programmatic dependent launch. `find_overlap`: the device supports it. `waits_by_itself`: the
/// code of `kernel` on the current device waits for the previous kernel, as code for compute
/// capability 9.0 or later does. `known` caches the last such kernel, because the query takes as
/// long as a launch. `launch_overlapping`: `launch` in clusters of that many blocks, which may
/// start while the previous kernel on the stream ends.
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
inline constexpr bool has_overlap = false;
inline Error find_overlap(bool* overlaps, int /*device*/) {
  *overlaps = false;
  return success;
}
inline bool waits_by_itself(std::atomic<const void*>&, const void*) { return false; }
inline Error launch_overlapping(const void*, unsigned, unsigned, void**, Stream, unsigned = 1) {
  return invalid_value;
}
#else
inline constexpr bool has_overlap = true;
inline Error find_overlap(bool* overlaps, int device) {
  int major = 0;
  const Error code = find_attribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  *overlaps = major >= 9;
  return code;
}
inline bool waits_by_itself(std::atomic<const void*>& known, const void* kernel) {
  if (known.load(std::memory_order_relaxed) == kernel) return true;
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel) != success || attributes.ptxVersion < 90)
    return false;
  known.store(kernel, std::memory_order_relaxed);
  return true;
}
inline Error launch_overlapping(const void* kernel, unsigned blocks, unsigned block,
                                void** arguments, Stream stream, unsigned cluster = 1) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(block);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = cluster > 1 ? 2 : 1;
  const Error code = cudaLaunchKernelExC(&config, kernel, arguments);
  if (code != success && cluster > 1) (void)cudaGetLastError();  // the caller retries without
  return code;
}
#endif

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
