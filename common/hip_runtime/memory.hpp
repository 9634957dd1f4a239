#pragma once

// Device memory.

#include <cstddef>
#include <memory>

#include <hip/hip_runtime.h>

#include "common/backend.hpp"

namespace ladder::hip_runtime {

/// Bytes that are free on the current device.
std::size_t free_memory();

struct Free {
  // Nobody is left to be told of an error: on a lost device it fails.
  void operator()(std::byte* memory) const noexcept { (void)hipFree(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

/// `bytes` bytes on the current device, aligned to 256. Throws `NotPossible` ("needs X, free Y")
/// where there are not so many.
Memory allocate(std::size_t bytes);

/// The same as a backend hands it out.
std::unique_ptr<Buffer> allocate_buffer(std::size_t bytes);

}  // namespace ladder::hip_runtime
