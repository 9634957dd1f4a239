// r32 dependent_launch: r16 whose second kernel starts while the first ends. Each block of the
// first triggers the dependent launch at its start; the second kernel then waits on the device. Its
// launch latency is over when the partials are complete, and so is the division that counts its
// steps, which needs none of them (programmatic dependent launch, compute capability 9.0).

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "ladder/gpu/detail/overlap.hpp"

namespace ladder::cuda::r32 {
namespace {

template <class T, class Op, unsigned block, bool is_second>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  if constexpr (!is_second) reduce_detail::let_next_start();
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
  const auto [head, vectors, tail] = split(x, n);
  Index k = steps(first, vectors, stride);
  if constexpr (is_second) reduce_detail::wait_for_previous();

  A mine = Op::identity();
  if (first < head) mine = A(x[first]);
  if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  Index i = first;
#pragma unroll unrolled
  for (; k > 0; --k, i += stride) mine = Op{}(mine, fold<Op, T>(v[i]));

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
      one_pass<T, A>(queue, all, reduce<T, Op, block, false>, problem.input, problem.n, partial);
      queue.launch_dependent(reduce<A, Op, block, true>, shape_of(one, blocks),
                             one.pass<A, A>(blocks), partial, blocks, problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r32
