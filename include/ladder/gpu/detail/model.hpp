#pragma once

// The model that a unit is compiled for, and its run-time library's words under one name.

#include <cstddef>

/// cuda or hip: the name of the namespace.
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
#include <hip/hip_runtime.h>
#define LADDER_MODEL hip
#else
#include <cuda_runtime.h>
#define LADDER_MODEL cuda
#endif

namespace ladder::LADDER_MODEL {
namespace reduce_detail {

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)

using Error = hipError_t;
using Stream = hipStream_t;
inline constexpr auto success = hipSuccess, invalid_value = hipErrorInvalidValue;
inline constexpr auto number_of_sms = hipDeviceAttributeMultiprocessorCount,
                      cache_bytes = hipDeviceAttributeL2CacheSize,
                      memory_clock = hipDeviceAttributeMemoryClockRate,
                      bus_width = hipDeviceAttributeMemoryBusWidth;
inline Error find_device(int* device) { return hipGetDevice(device); }
template <class Attribute>
Error find_attribute(int* value, Attribute attribute, int device) {
  return hipDeviceGetAttribute(value, attribute, device);
}
inline Error enqueue_set(void* memory, int byte, std::size_t bytes, Stream stream) {
  return hipMemsetAsync(memory, byte, bytes, stream);
}
inline Error launch(const void* kernel, unsigned blocks, unsigned block, void** arguments,
                    Stream stream) {
  return hipLaunchKernel(kernel, dim3(blocks), dim3(block), arguments, 0, stream);
}

#else

using Error = cudaError_t;
using Stream = cudaStream_t;
inline constexpr auto success = cudaSuccess, invalid_value = cudaErrorInvalidValue;
inline constexpr auto number_of_sms = cudaDevAttrMultiProcessorCount,
                      cache_bytes = cudaDevAttrL2CacheSize,
                      memory_clock = cudaDevAttrMemoryClockRate,
                      bus_width = cudaDevAttrGlobalMemoryBusWidth;
inline Error find_device(int* device) { return cudaGetDevice(device); }
template <class Attribute>
Error find_attribute(int* value, Attribute attribute, int device) {
  return cudaDeviceGetAttribute(value, attribute, device);
}
inline Error enqueue_set(void* memory, int byte, std::size_t bytes, Stream stream) {
  return cudaMemsetAsync(memory, byte, bytes, stream);
}
inline Error launch(const void* kernel, unsigned blocks, unsigned block, void** arguments,
                    Stream stream) {
  return cudaLaunchKernel(kernel, dim3(blocks), dim3(block), arguments, 0, stream);
}

#endif

}  // namespace reduce_detail
}  // namespace ladder::LADDER_MODEL
