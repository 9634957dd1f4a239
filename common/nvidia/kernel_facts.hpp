#pragma once

// What a compiled kernel occupies on a device.

#include <cstddef>

#include <cuda_runtime.h>

#include "common/accounting.hpp"

namespace ladder::nvidia {

/// Registers, shared memory (`dynamic_shared` bytes included) and resident blocks of `kernel`, a
/// host pointer to a `__global__` function, launched on the current device, whose properties are
/// given, with blocks of `block` threads. Throws `Error`.
KernelFacts kernel_facts(const cudaDeviceProp& device, const void* kernel, unsigned block,
                         std::size_t dynamic_shared);

}  // namespace ladder::nvidia
