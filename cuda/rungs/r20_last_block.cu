// r20 last_block: the block that finishes last replaces r16's second launch, so nothing waits for a
// launch. Each block stores its partial and draws a ticket. The block with the last ticket combines
// all partials, in an order that does not depend on which block it is. Drawing releases the block's
// own partial and acquires all others (PTX ISA, memory consistency model).

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::cuda::r20 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial,
                                                unsigned* ticket, typename Op::value* result) {
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
  __shared__ bool last;
  if (tid == 0) {
    partial[blockIdx.x] = mine;
    last = draw(ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  mine = Op::identity();
  for (unsigned b = tid; b < gridDim.x; b += block) mine = Op{}(mine, partial[b]);
  mine = reduce_block<Op, block>(mine);
  if (tid == 0) {
    *result = mine;
    *ticket = 0;
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   partial, queue.ticket(), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::r20
