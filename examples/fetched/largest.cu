// Index of the maximum of a million numbers, with a custom operation, accumulator and input.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "ladder/cuda/reduce.hpp"

namespace {

struct Found {
  float value;
  int at;
};

// Associative and commutative: the lower index wins among equal values.
struct Larger {
  __device__ Found operator()(const Found& a, const Found& b) const {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.at < b.at ? a : b;
  }
};

// The element at i: a value and its index. Any type with operator[] on the device is an input.
struct Numbered {
  const float* x;
  __device__ Found operator[](std::int64_t i) const { return {x[i], static_cast<int>(i)}; }
};

bool done(cudaError_t code) {
  if (code != cudaSuccess) std::printf("%s\n", cudaGetErrorString(code));
  return code == cudaSuccess;
}

}  // namespace

int main() {
  std::vector<float> numbers(1000000, 1.0F);
  numbers[123456] = 2.0F;
  const std::size_t n = numbers.size(), bytes = ladder::cuda::workspace_bytes();
  float* x = nullptr;
  Found *result = nullptr, found{0, 0};
  void* memory = nullptr;
  ladder::cuda::Workspace workspace;
  if (!done(cudaMalloc(&x, n * sizeof *x)) || !done(cudaMalloc(&result, sizeof *result)) ||
      !done(cudaMalloc(&memory, bytes)) ||
      !done(ladder::cuda::make_workspace(&workspace, memory, bytes, nullptr)) ||
      !done(cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice)) ||
      !done(ladder::cuda::reduce(workspace, Numbered{x}, n, result, Larger{}, Found{-1.0F, 0},
                                 nullptr)) ||
      !done(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost))) {
    return 1;
  }
  std::printf("the largest is %.1f, at %d\n", static_cast<double>(found.value), found.at);

  cudaFree(memory);
  cudaFree(result);
  cudaFree(x);
  return found.at == 123456 ? 0 : 1;
}
