#include "common/hip_runtime/check.hpp"
#include "common/hip_runtime/kernel_facts.hpp"

namespace ladder::hip_runtime {
namespace {

/// Which of a multiprocessor's resources runs out first, as far as the device's properties say. A
/// full house of threads is named before the rest: nothing could be better then.
const char* limiter(const hipDeviceProp_t& device, const KernelFacts& facts, unsigned block) {
  const auto blocks = static_cast<std::size_t>(facts.blocks_per_unit);
  const auto threads = static_cast<std::size_t>(device.maxThreadsPerMultiProcessor);
  if ((blocks + 1) * block > threads) return "threads";
  int shared = 0, current = 0;
  check(hipGetDevice(&current));
  check(
      hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, current));
  if ((blocks + 1) * facts.shared_bytes > static_cast<std::size_t>(shared)) return "shared memory";
  return "registers or blocks";
}

}  // namespace

KernelFacts kernel_facts(const hipDeviceProp_t& device, const void* kernel, unsigned block,
                         std::size_t dynamic_shared) {
  hipFuncAttributes attributes{};
  check(hipFuncGetAttributes(&attributes, kernel));
  KernelFacts facts;
  facts.registers = attributes.numRegs;
  facts.shared_bytes = attributes.sharedSizeBytes + dynamic_shared;
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&facts.blocks_per_unit, kernel,
                                                     static_cast<int>(block), dynamic_shared));
  facts.limiter = limiter(device, facts, block);
  return facts;
}

}  // namespace ladder::hip_runtime
