// Softmax denominators, one per row of a matrix, and the means of its columns.

#include <cmath>
#include <cstdio>
#include <vector>

#include "ladder/cuda/batch.hpp"
#include "runtime_check.hpp"

struct Exponential {
  __device__ float operator()(float x) const { return expf(x); }
};

int main() {
  using namespace ladder::cuda;
  const std::size_t rows = 1000, columns = 300;
  const std::vector<float> host(rows * columns, 1.0F);
  float* const x = allocate<float>(rows * columns);
  float* const denominators = allocate<float>(rows);
  float* const sums = allocate<float>(columns);
  check(cudaMemcpy(x, host.data(), host.size() * sizeof *x, cudaMemcpyHostToDevice));
  BatchWorkspace workspace;
  check(make_batch_workspace(&workspace, allocate<char>(batch_workspace_bytes()),
                             batch_workspace_bytes(), nullptr));

  check(reduce_rows(workspace, transform(Exponential{}, x), rows, columns, columns, denominators,
                    Sum{}, 0.0F, nullptr));
  check(reduce_columns(workspace, x, rows, columns, columns, sums, Sum{}, 0.0F, nullptr));

  float denominator = 0, sum = 0;
  check(cudaMemcpy(&denominator, denominators, sizeof denominator, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("%zu times e is %.2f, the mean of a column of ones is %.2f\n", columns,
              static_cast<double>(denominator), static_cast<double>(sum) / rows);
  return std::abs(denominator - 815.48F) < 0.1F && sum == rows ? 0 : 1;
}
