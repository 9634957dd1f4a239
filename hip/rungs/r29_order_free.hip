// r29 order_free: the result is the exact sum, rounded once, so it is independent of any order; r28
// fixes one order. A thread splits each element between two double sums, by additions that are
// exact or detected as inexact. After each batch it moves the sums to integers, which combine
// across threads and blocks in any order. Elements outside the two doubles' range, absent from most
// data, go to a sum in memory as wide as all doubles.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/round_once.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r29 {
namespace {

template <class T, class A, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, exact::Wide* partial,
                                                std::int64_t* digits, unsigned* ticket, A* result) {
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
  const auto [head, vectors, tail] = split(x, n);
  const int place = place_by_samples(x, n);

  ExactSum<T> sum(place, digits, blockIdx.x);
  if (first < head) sum.add(x + first, 1);
  if (first < n - tail) sum.add(x + tail + first, 1);
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  Index i = first;
#pragma unroll 1
  for (Index k = steps(first, vectors, stride), taken; k > 0; k -= taken, i += taken * stride)
    taken = sum.add(v + i, stride, k);

  exact::Wide mine = reduce_block<exact::Add, block>(sum.finish(place));
  __shared__ bool last;
  if (tid == 0) {
    partial[blockIdx.x] = mine;
    last = draw(ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  mine = exact::Add::identity();
  for (unsigned b = tid; b < gridDim.x; b += block) mine = exact::Add{}(mine, partial[b]);
  mine = reduce_block<exact::Add, block>(mine);
  if (tid == 0) *ticket = 0;
  round_once<block>(mine, exact::lowest<T>(place), digits, result);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      auto* const partial = queue.scratch<exact::Wide>(blocks);
      Pass pass = layout.pass<T, exact::Wide>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<exact::Wide, A>(blocks);
      pass.depth = 1;  // only the exact sum is rounded
      queue.launch(reduce<T, A, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   partial, queue.digits(), queue.ticket(), problem.result);
    });
  }
};

using Sums = Each<Operation::sum>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }

}  // namespace ladder::hip::r29
