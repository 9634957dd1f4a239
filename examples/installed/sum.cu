// The sum of a million numbers: the shortest program that calls the header.

#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "ladder/cuda/reduce.hpp"

namespace {

// Ends the program with the runtime's words where something went wrong.
bool done(cudaError_t code) {
  if (code != cudaSuccess) std::printf("%s\n", cudaGetErrorString(code));
  return code == cudaSuccess;
}

}  // namespace

int main() {
  const std::size_t n = 1000000;
  const std::vector<float> numbers(n, 0.5F);
  float *x = nullptr, *result = nullptr, sum = 0;
  void* memory = nullptr;
  const std::size_t bytes = ladder::cuda::workspace_bytes();
  ladder::cuda::Workspace workspace;

  // Once: the memory, and a workspace for each stream.
  if (!done(cudaMalloc(&x, n * sizeof *x)) || !done(cudaMalloc(&result, sizeof *result)) ||
      !done(cudaMalloc(&memory, bytes)) ||
      !done(ladder::cuda::make_workspace(&workspace, memory, bytes, nullptr)) ||
      !done(cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice))) {
    return 1;
  }

  // As often as one likes: one launch, which the host does not wait for.
  if (!done(ladder::cuda::reduce(workspace, x, n, result, ladder::cuda::Sum{}, 0.0F, nullptr)) ||
      !done(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost))) {
    return 1;
  }
  std::printf("%zu times 0.5 is %.1f\n", n, static_cast<double>(sum));

  cudaFree(memory);
  cudaFree(result);
  cudaFree(x);
  return sum == 500000.0F ? 0 : 1;
}
