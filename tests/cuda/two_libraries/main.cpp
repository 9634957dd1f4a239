// Calls two libraries in one process whose header kernels have the same names: each must launch its
// own. Exit status 77: no GPU.

#include <cstddef>
#include <cstdio>

#include <cuda_runtime_api.h>

#include "ladder/gpu/workspace.hpp"

extern "C" int one(const int* x, std::size_t n, int* result, void* memory);
extern "C" int two(const int* x, std::size_t n, int* result, void* memory);

int main() {
  constexpr std::size_t n = 1 << 16;
  const std::size_t bytes = ladder::cuda::workspace_bytes();
  int *x = nullptr, *result = nullptr;
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&x, n * sizeof *x);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) return 77;
  cudaMalloc(&result, sizeof *result);
  cudaMalloc(&memory, bytes);
  cudaMemset(x, 0, n * sizeof *x);
  const int first = one(x, n, result, memory), second = two(x, n, result, memory);
  std::printf("%d and %d\n", first, second);
  return first > 0 && second == 1000 * first ? 0 : 1;
}
