// r09 unroll_last_warp: once only one warp is active, the tree's last levels need no block barrier:
// they leave the loop, and `__syncwarp` orders them. The published form omits it and declares the
// tile volatile, a race since Volta gave each thread a program counter.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::r09 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * (2 * blockDim.x) + tid;
  const Index j = i + blockDim.x;
  tile[tid] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > warp; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid < warp) {
    if (blockDim.x > warp) tile[tid] = Op{}(tile[tid], tile[tid + warp]);
    __syncwarp();
#pragma unroll
    for (unsigned s = warp / 2; s > 0; s /= 2) {
      if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
      __syncwarp();
    }
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .items = 2, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce<typename Case::element, Op>, reduce<A, Op>);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r09
