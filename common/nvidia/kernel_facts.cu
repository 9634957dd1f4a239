#include <cuda_occupancy.h>
#include <cuda_runtime.h>

#include "common/nvidia/check.hpp"
#include "common/nvidia/kernel_facts.hpp"

namespace ladder::nvidia {
namespace {

/// Which of a multiprocessor's resources runs out first. Where several do at once, a full house of
/// threads is named before the rest: nothing could be better then.
const char* limiter(const cudaDeviceProp& device, const cudaFuncAttributes& attributes,
                    unsigned block, std::size_t dynamic_shared) {
  const cudaOccDeviceProp device_side(device);
  const cudaOccFuncAttributes kernel_side(attributes);
  const cudaOccDeviceState state;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device_side, &kernel_side, &state,
                                              static_cast<int>(block),
                                              dynamic_shared) != CUDA_OCC_SUCCESS) {
    return "unknown: a device newer than this toolkit";
  }
  if ((result.limitingFactors & OCC_LIMIT_WARPS) != 0) return "threads";
  if ((result.limitingFactors & OCC_LIMIT_REGISTERS) != 0) return "registers";
  if ((result.limitingFactors & OCC_LIMIT_SHARED_MEMORY) != 0) return "shared memory";
  return "blocks";
}

}  // namespace

KernelFacts kernel_facts(const cudaDeviceProp& device, const void* kernel, unsigned block,
                         std::size_t dynamic_shared) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  KernelFacts facts;
  facts.registers = attributes.numRegs;
  facts.shared_bytes = attributes.sharedSizeBytes + dynamic_shared;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&facts.blocks_per_unit, kernel,
                                                      static_cast<int>(block), dynamic_shared));
  facts.limiter = limiter(device, attributes, block, dynamic_shared);
  return facts;
}

}  // namespace ladder::nvidia
