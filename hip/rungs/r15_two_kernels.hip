// r15 two_kernels: the grid's partials fit a single block, so there are exactly two launches: one
// over the array, and one block over the partials. r12 repeats its launch until one partial is
// left.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r15 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;

  A mine = Op::identity();
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));

  mine = reduce_block<Op, block>(mine);
  if (tid == 0) partial[blockIdx.x] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout all{.block = block, .grid = tuning.grid}, one{.block = block, .grid = 1};
      const std::size_t blocks = all.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      one_pass<T, A>(queue, all, reduce<T, Op, block>, problem.input, problem.n, partial);
      one_pass<A, A>(queue, one, reduce<A, Op, block>, partial, blocks, problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r15
