#pragma once

// Device memory.

#include <cstddef>
#include <memory>
#include <string>

#include <cuda_runtime.h>

namespace ladder::nvidia {

/// "1.50 GiB"
std::string size_text(std::size_t bytes);

/// Bytes that are free on the current device.
std::size_t free_memory();

struct Free {
  // Nobody is left to be told of an error: on a lost device it fails.
  void operator()(std::byte* memory) const noexcept { cudaFree(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

/// `bytes` bytes on the current device, aligned to 256. Throws `NotPossible` ("needs X, free Y")
/// where there are not so many.
Memory allocate(std::size_t bytes);

}  // namespace ladder::nvidia
