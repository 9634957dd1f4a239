// r17 multiple_accumulators: a thread has one accumulator per load in flight, so additions do not
// depend on each other. Additions take a few cycles and loads hundreds, so little gain is expected
// while memory limits; the published attempt saw none. A negative result, kept as such.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::hip::r17 {
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
  A chain[unrolled];
#pragma unroll
  for (auto& value : chain) value = Op::identity();
  Index i = first, k = steps(first, vectors, stride);
#pragma unroll 1
  for (; k >= unrolled; k -= unrolled, i += unrolled * stride) {
#pragma unroll
    for (int c = 0; c < unrolled; ++c) chain[c] = Op{}(chain[c], fold<Op, T>(v[i + c * stride]));
  }
#pragma unroll 1
  for (; k > 0; --k, i += stride) mine = Op{}(mine, fold<Op, T>(v[i]));
#pragma unroll
  for (const auto& value : chain) mine = Op{}(mine, value);

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

}  // namespace ladder::hip::r17
