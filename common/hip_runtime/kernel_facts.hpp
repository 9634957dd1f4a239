#pragma once

// What a compiled kernel occupies on a device.

#include <cstddef>

#include <hip/hip_runtime.h>

#include "common/accounting.hpp"

namespace ladder::hip_runtime {

/// Registers (on AMD those of vectors), shared memory (`dynamic_shared` bytes included) and
/// resident blocks of `kernel`, a host pointer to a `__global__` function, launched on the current
/// device, whose properties are given, with blocks of `block` threads. Throws `Error`.
KernelFacts kernel_facts(const hipDeviceProp_t& device, const void* kernel, unsigned block,
                         std::size_t dynamic_shared);

}  // namespace ladder::hip_runtime
