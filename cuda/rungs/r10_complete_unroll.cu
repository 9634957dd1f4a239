// r10 complete_unroll: the block size is a template argument with one kernel per value. The
// compiler knows every level of the tree: no loop, no bound test, and constant addresses in shared
// memory.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::r10 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  __shared__ A tile[block];
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * (2 * block) + tid;
  const Index j = i + block;
  tile[tid] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
  __syncthreads();

#pragma unroll
  for (unsigned s = block / 2; s > warp; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid < warp) {
    if (block > warp) tile[tid] = Op{}(tile[tid], tile[tid + warp]);
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
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = 2};
      in_passes(queue, problem, layout, reduce<typename Case::element, Op, block>,
                reduce<A, Op, block>);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r10
