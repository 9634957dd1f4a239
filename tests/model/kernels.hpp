#pragma once

// Kernels for the tests. For AMD the tests are compiled as C++: clang 15 crashes on GoogleTest's
// containers when it compiles C++20 as HIP.

#include "tests/model/model.hpp"

namespace ladder::LADDER_MODEL {

__global__ void nothing();
/// *place = 1
__global__ void write_one(int* place);
/// Enqueues *place += 1 without the queue's launch functions, as a library would.
void launch_add(Queue& queue, int* place, dim3 grid, dim3 block, std::size_t shared);

}  // namespace ladder::LADDER_MODEL
