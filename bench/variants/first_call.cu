// first_call header|cub: what a process pays before its first result on a GPU, as a line of CSV:
// microseconds for the context, for memory (an input of 2^20 floats, what the call needs), for the
// first call until the stream is done, the second and the tenth. One process has one first call.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <cub/device/device_reduce.cuh>

#include "ladder/cuda/reduce.hpp"

namespace {

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "first_call: %s\n", cudaGetErrorString(code));
  std::exit(1);
}

/// Microseconds since the call before.
double lap() {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last = Clock::now();
  const Clock::time_point now = Clock::now();
  const double taken = std::chrono::duration<double, std::micro>(now - last).count();
  last = now;
  return taken;
}

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

}  // namespace

int main(int count, char** words) {
  const std::string_view how = count == 2 ? words[1] : "";
  if (how != "header" && how != "cub") {
    std::fprintf(stderr, "usage: first_call header|cub\n");
    return 2;
  }
  constexpr int n = 1 << 20;
  const cudaStream_t stream = nullptr;

  lap();
  check(cudaFree(nullptr));  // makes the context
  const double context = lap();

  float *x = nullptr, *result = nullptr;
  void* memory = nullptr;
  std::size_t bytes = 0;
  ladder::cuda::Workspace workspace;
  check(cudaMalloc(&x, n * sizeof *x));
  check(cudaMemset(x, 0, n * sizeof *x));
  check(cudaMalloc(&result, sizeof *result));
  if (how == "header") {
    bytes = ladder::cuda::workspace_bytes(n);
    check(cudaMalloc(&memory, bytes));
    check(ladder::cuda::make_workspace(&workspace, memory, bytes, stream));
  } else {
    check(cub::DeviceReduce::Sum(nullptr, bytes, x, result, n, stream));
    check(cudaMalloc(&memory, bytes));
  }
  check(cudaDeviceSynchronize());
  const double allocated = lap();

  double calls[10];
  for (double& call : calls) {
    if (how == "header") {
      check(ladder::cuda::reduce(workspace, x, n, result, Add{}, 0.0F, stream));
    } else {
      check(cub::DeviceReduce::Sum(memory, bytes, x, result, n, stream));
    }
    check(cudaStreamSynchronize(stream));
    call = lap();
  }
  std::printf("%s,%.0f,%.0f,%.1f,%.1f,%.1f\n", words[1], context, allocated, calls[0], calls[1],
              calls[9]);
}
