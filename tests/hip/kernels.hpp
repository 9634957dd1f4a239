#pragma once

// Kernels for the tests, which are compiled as C++: clang 15 dies of GoogleTest's containers when
// it compiles C++20 as HIP.

#include <hip/hip_runtime.h>

namespace ladder::hip {

__global__ void nothing();
/// *place = 1
__global__ void write_one(int* place);
/// *place += value
__global__ void add(int* place, int value);

}  // namespace ladder::hip
