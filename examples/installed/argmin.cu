// Minimum of an array and its index; the first index among equal values.

#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "ladder/cuda/reduce.hpp"
#include "runtime_check.hpp"

struct Element {
  float value;
  std::int64_t place;
};
struct Numbered {
  __device__ Element operator()(std::int64_t i, float x) const { return {x, i}; }
};
struct Less {
  __host__ __device__ Element operator()(const Element& a, const Element& b) const {
    return b.value < a.value || (b.value == a.value && b.place < a.place) ? b : a;
  }
};

int main() {
  using namespace ladder::cuda;
  const std::size_t n = 1000000;
  std::vector<float> numbers(n, 1.0F);
  numbers[314159] = numbers[718281] = -1.0F;
  float* const x = allocate<float>(n);
  Element* const result = allocate<Element>(1);
  check(cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice));
  Workspace workspace;
  check(make_workspace(&workspace, allocate<char>(workspace_bytes()), workspace_bytes(), nullptr));

  const Element none{std::numeric_limits<float>::infinity(),
                     std::numeric_limits<std::int64_t>::max()};
  check(reduce(workspace, transform_indexed(Numbered{}, x), n, result, Less{}, none, nullptr));

  Element least;
  check(cudaMemcpy(&least, result, sizeof least, cudaMemcpyDeviceToHost));
  std::printf("the least is %.1f, at %lld\n", static_cast<double>(least.value),
              static_cast<long long>(least.place));
  return least.place == 314159 ? 0 : 1;
}
