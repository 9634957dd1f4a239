// Sum of a million numbers: the shortest program that calls the header.

#include <cstdio>
#include <vector>

#include "ladder/cuda/reduce.hpp"
#include "runtime_check.hpp"

int main() {
  const std::size_t n = 1000000;
  const std::vector<float> numbers(n, 0.5F);
  float* const x = allocate<float>(n);
  float* const result = allocate<float>(1);
  check(cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice));

  // Once per stream.
  const std::size_t bytes = ladder::cuda::workspace_bytes();
  ladder::cuda::Workspace workspace;
  check(ladder::cuda::make_workspace(&workspace, allocate<char>(bytes), bytes, nullptr));

  // Any number of times: one asynchronous launch.
  check(ladder::cuda::reduce(workspace, x, n, result, ladder::cuda::Sum{}, 0.0F, nullptr));

  float sum = 0;
  check(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("%zu times 0.5 is %.1f\n", n, static_cast<double>(sum));
  return sum == 500000.0F ? 0 : 1;
}
