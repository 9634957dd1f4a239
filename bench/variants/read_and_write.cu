// read_and_write: the speed of a kernel that reads 1 GiB of floats and writes one for each `length`
// of them, without reducing any: the limit of every reduction of rows of that length. Prints CSV:
// GB/s over the bytes read, and relative to reading alone; the best of four launch configurations,
// each the median of 15 samples with L2 evicted before each. "read once": loads that the L2 cache
// need not keep, so that results may stay there.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "read_and_write: %s\n", cudaGetErrorString(code));
  std::exit(1);
}

/// Each block reads `loads` vectors per thread at once, then writes its results side by side.
template <unsigned block, unsigned loads, bool once>
__global__ void __launch_bounds__(block)
    read_and_write(const uint4* x, std::size_t vectors, float* result, unsigned vectors_each) {
  const std::size_t first = std::size_t{blockIdx.x} * block * loads;
  uint4 loaded[loads];
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    const std::size_t i = first + k * block + threadIdx.x;
    const uint4* const at = x + (i < vectors ? i : vectors - 1);
    loaded[k] = once ? __ldcs(at) : *at;
  }
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) sum += loaded[k].x + loaded[k].y + loaded[k].z + loaded[k].w;
  const unsigned some = __syncthreads_or(static_cast<int>(sum));  // no load may be left out
  const std::size_t from = first / vectors_each, to = (first + block * loads) / vectors_each;
  for (std::size_t i = from + threadIdx.x; i < to; i += block) result[i] = static_cast<float>(some);
}

struct Device {
  static constexpr std::size_t bytes = std::size_t{1} << 30, evicted = std::size_t{256} << 20;
  uint4 *x = nullptr, *other = nullptr;
  float* result = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;

  Device() {
    check(cudaMalloc(&x, bytes));
    check(cudaMalloc(&other, evicted));
    check(cudaMalloc(&result, bytes / 4));
    check(cudaMemset(x, 1, bytes));
    check(cudaMemset(other, 1, evicted));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
  }

  template <unsigned block, unsigned loads, bool once>
  void launch(const uint4* from, std::size_t size, unsigned vectors_each) const {
    const std::size_t vectors = size / sizeof *from, tile = block * loads;
    read_and_write<block, loads, once>
        <<<static_cast<unsigned>((vectors + tile - 1) / tile), block>>>(from, vectors, result,
                                                                        vectors_each);
    check(cudaGetLastError());
  }

  /// GB/s; `vectors_each` 16-byte vectors for a result.
  template <unsigned block, unsigned loads, bool once>
  double speed(unsigned vectors_each) const {
    std::vector<float> times(15);
    for (float& milliseconds : times) {
      launch<512, 4, false>(other, evicted, 1U << 30);
      check(cudaEventRecord(begin));
      launch<block, loads, once>(x, bytes, vectors_each);
      check(cudaEventRecord(end));
      check(cudaEventSynchronize(end));
      check(cudaEventElapsedTime(&milliseconds, begin, end));
    }
    std::ranges::sort(times);
    return static_cast<double>(bytes) / static_cast<double>(times[times.size() / 2]) / 1e6;
  }

  template <bool once>
  double best(unsigned vectors_each) const {
    return std::max({speed<256, 4, once>(vectors_each), speed<256, 8, once>(vectors_each),
                     speed<512, 4, once>(vectors_each), speed<1024, 2, once>(vectors_each)});
  }
};

}  // namespace

int main() {
  const Device device;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  const double read = device.best<false>(1U << 30);
  std::printf("GPU,length,loads,gbs,of_read\n");
  for (const unsigned length : {4U, 8U, 16U, 32U, 64U, 256U, 1024U}) {
    for (const bool once : {false, true}) {
      const double gbs = once ? device.best<true>(length / 4) : device.best<false>(length / 4);
      std::printf("%s,%u,%s,%.0f,%.3f\n", properties.name, length, once ? "read once" : "plain",
                  gbs, gbs / read);
    }
  }
}
