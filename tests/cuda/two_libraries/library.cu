// A shared library that calls the header, compiled twice: NAME and WEIGHT are of each its own, and
// so is what `Weighted` does, under one name.

#include "ladder/cuda/reduce.hpp"

struct Weighted {
  __host__ __device__ int operator()(int a, int b) const { return a + b + WEIGHT; }
};

/// The elements of `x`, and the library's weight for each step; or -1.
extern "C" int NAME(const int* x, std::size_t n, int* result, void* memory) {
  using namespace ladder::cuda;
  Workspace workspace;
  int value = -1;
  if (make_workspace(&workspace, memory, workspace_bytes(), nullptr) != cudaSuccess ||
      reduce(workspace, x, n, result, Weighted{}, 0, nullptr) != cudaSuccess ||
      cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) {
    return -1;
  }
  return value;
}
