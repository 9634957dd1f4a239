// r14 block_atomic: r12's tree over the whole block, then one atomic update of the result per
// block. It needs the reset and a single launch, and makes one update per partial of r12.
//
// Unlike CUDA's (1 line, 30a1b62d): a wavefront has 32 or 64 lanes, or all threads of a smaller
// block.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r14 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;
  constexpr unsigned wave = lanes(block);
  __shared__ A tile[block / wave];
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;

  A mine = Op::identity();
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));

#pragma unroll
  for (unsigned s = wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (tid % wave == 0) tile[tid / wave] = mine;
  __syncthreads();
  if (tid < wave) {
    mine = tid < block / wave ? tile[tid] : Op::identity();
#pragma unroll
    for (unsigned s = block / wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  }
  if (tid == 0) atomic_update<Op>(result, mine);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .grid = tuning.grid};
      atomic_pass(queue, problem, layout, reduce<typename Case::element, Op, block>);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r14
