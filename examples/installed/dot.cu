// A dot product: two arrays as one input, both read in 16-byte loads.

#include <cstdio>
#include <vector>

#include "ladder/cuda/reduce.hpp"
#include "runtime_check.hpp"

struct Product {
  __device__ double operator()(float x, float y) const { return static_cast<double>(x) * y; }
};

int main() {
  using namespace ladder::cuda;
  const std::size_t n = 1000000;
  const std::vector<float> twos(n, 2.0F), halves(n, 0.5F);
  float* const x = allocate<float>(n);
  float* const y = allocate<float>(n);
  double* const result = allocate<double>(1);
  check(cudaMemcpy(x, twos.data(), n * sizeof *x, cudaMemcpyHostToDevice));
  check(cudaMemcpy(y, halves.data(), n * sizeof *y, cudaMemcpyHostToDevice));
  Workspace workspace;
  check(make_workspace(&workspace, allocate<char>(workspace_bytes()), workspace_bytes(), nullptr));

  check(reduce(workspace, transform(Product{}, x, y), n, result, Sum{}, 0.0, nullptr));

  double dot = 0;
  check(cudaMemcpy(&dot, result, sizeof dot, cudaMemcpyDeviceToHost));
  std::printf("%zu times 2 times 0.5 is %.1f\n", n, dot);
  return dot == 1e6 ? 0 : 1;
}
