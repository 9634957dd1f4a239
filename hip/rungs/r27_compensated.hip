// r27 compensated: r20 with a second sum of the rounding errors of all additions, carried through
// threads, wavefronts, blocks and grid. The two sums are added once at the end: the result is that
// of twice the precision, rounded once. Seven additions replace one, hidden while memory limits.
// Compiled without contraction, which would remove the error term.

#include "common/compensated.hpp"
#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::hip::r27 {
namespace {

template <class T, unsigned block>
__global__ void __launch_bounds__(block)
    reduce(const T* x, Index n, Compensated<T>* partial, unsigned* ticket, T* result) {
  using Op = CompensatedSum<T>;
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
    *result = Op::rounded(mine);
    *ticket = 0;
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Sum = Compensated<T>;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      Sum* const partial = queue.scratch<Sum>(blocks);
      Pass pass = layout.pass<T, Sum>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<Sum, T>(blocks);
      queue.launch(reduce<T, block>, Shape{blocks, block}, pass, problem.input, problem.n, partial,
                   queue.ticket(), problem.result);
    });
  }
};

using Sums = Each<Operation::sum>::Over<Type::f32, Type::f64>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }

}  // namespace ladder::hip::r27
