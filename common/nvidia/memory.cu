#include <cstdio>

#include "common/backend.hpp"
#include "common/nvidia/check.hpp"
#include "common/nvidia/memory.hpp"

namespace ladder::nvidia {

std::string size_text(std::size_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}

Memory allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not an error of the device: the next call may well succeed
    throw NotPossible("needs " + size_text(bytes) + " of device memory, free " +
                      size_text(free_memory()));
  }
  check(code);
  return Memory(static_cast<std::byte*>(memory));
}

}  // namespace ladder::nvidia
