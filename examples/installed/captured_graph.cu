// A reduction inside a captured graph: captured once, replayed over changing data. The host polls
// each result.

#include <cstdio>

#include "ladder/cuda/reduce.hpp"
#include "runtime_check.hpp"

__global__ void fill(int* x, int n, const int* value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] = *value;
}

int main() {
  using namespace ladder::cuda;
  const int n = 1 << 16;
  int* const x = allocate<int>(n);
  int* const value = allocate<int>(1);
  void* mapped = nullptr;  // host memory that the device can write
  check(cudaHostAlloc(&mapped, OnHost<int>::bytes, cudaHostAllocMapped));
  const OnHost<int> result{static_cast<std::uint64_t*>(mapped)};
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  Workspace workspace;
  check(make_workspace(&workspace, allocate<char>(workspace_bytes()), workspace_bytes(), stream));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<n / 256, 256, 0, stream>>>(x, n, value);
  check(reduce(workspace, x, n, result, Sum{}, 0, stream));
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&replay, graph));

  int wrong = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    check(cudaMemcpyAsync(value, &turn, sizeof turn, cudaMemcpyHostToDevice, stream));
    result.clear();
    check(cudaGraphLaunch(replay, stream));
    wrong += result.wait() != n * turn;
  }
  std::printf("1000 replays, %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
