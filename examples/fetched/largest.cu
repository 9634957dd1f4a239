// Index of the maximum of a million numbers, with a custom operation, accumulator and input.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../installed/runtime_check.hpp"
#include "ladder/cuda/reduce.hpp"

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

int main() {
  using namespace ladder::cuda;
  std::vector<float> numbers(1000000, 1.0F);
  numbers[123456] = 2.0F;
  const std::size_t n = numbers.size();
  float* const x = allocate<float>(n);
  Found* const result = allocate<Found>(1);
  check(cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice));
  Workspace workspace;
  check(make_workspace(&workspace, allocate<char>(workspace_bytes()), workspace_bytes(), nullptr));

  check(reduce(workspace, Numbered{x}, n, result, Larger{}, Found{-1.0F, 0}, nullptr));

  Found found;
  check(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
  std::printf("the largest is %.1f, at %d\n", static_cast<double>(found.value), found.at);
  return found.at == 123456 ? 0 : 1;
}
