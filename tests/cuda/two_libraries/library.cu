// A shared library that calls the header, compiled twice with different NAME and WEIGHT. `Weighted`
// has the same name in both but differs in behaviour.

#include "ladder/cuda/reduce.hpp"

struct Weighted {
  __host__ __device__ int operator()(int a, int b) const { return a + b + WEIGHT; }
};

/// Returns the sum of `x` plus the library's weight per step; -1 on error.
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
