// r12 warp_shuffle: the tree moves from shared memory to registers. Lanes exchange values by
// shuffles: five levels per warp, without a barrier. Shared memory holds one value per warp, and
// one barrier separates the warps' trees from the tree over them.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::r12 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  __shared__ A tile[block / warp];
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;

  A mine = Op::identity();
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));

#pragma unroll
  for (unsigned s = warp / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (tid % warp == 0) tile[tid / warp] = mine;
  __syncthreads();
  if (tid < warp) {
    mine = tid < block / warp ? tile[tid] : Op::identity();
#pragma unroll
    for (unsigned s = block / warp / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  }
  if (tid == 0) partial[blockIdx.x] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .grid = tuning.grid};
      in_passes(queue, problem, layout, reduce<typename Case::element, Op, block>,
                reduce<A, Op, block>);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r12
