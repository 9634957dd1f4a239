#include "tests/hip/kernels.hpp"

namespace ladder::hip {

__global__ void nothing() {}
__global__ void write_one(int* place) { *place = 1; }
__global__ void add(int* place, int value) { *place += value; }

}  // namespace ladder::hip
