// r16 vectorized: a thread loads 16 bytes at a time, with a quarter of the load instructions (half
// for 8-byte types) and more bytes in flight. The grid's first threads take the elements before the
// first 16-byte boundary and after the last whole vector, fewer than one vector each.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::hip::r16 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
  const auto [head, vectors, tail] = split(x, n);

  A mine = Op::identity();
  if (first < head) mine = A(x[first]);
  if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, vectors, stride); k > 0; --k, i += stride)
    mine = Op{}(mine, fold<Op, T>(v[i]));

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
      const Layout all{.block = block, .items = width<T>, .grid = tuning.grid},
          one{.block = block, .items = width<A>, .grid = 1};
      const std::size_t blocks = all.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      one_pass<T, A>(queue, all, reduce<T, Op, block>, problem.input, problem.n, partial);
      one_pass<A, A>(queue, one, reduce<A, Op, block>, partial, blocks, problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r16
