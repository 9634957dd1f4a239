// r30 tuned: the best that was found for every size, type and operation on an NVIDIA H200; on AMD
// nobody has looked yet. r20, with as many blocks as the bytes are worth: a single block, which
// draws no ticket, while it is done before a second could have begun; then half of what is
// resident, in larger blocks the more there is to read. What was tried is in docs/ladder.md.

#include "hip/atomics.hpp"
#include "hip/passes.hpp"
#include "hip/tree.hpp"
#include "hip/vector.hpp"

namespace ladder::hip::r30 {
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
  if (gridDim.x == 1) {
    if (tid == 0) *result = mine;
    return;
  }
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

/// Threads of a block, and blocks on each multiprocessor; 0: one in all.
struct Choice {
  unsigned block, per_unit;
};

/// By the bytes to be read; tried on an H200, docs/ladder.md. A block of 256 threads is the
/// quickest to begin and to end, one of 1024 reads the best.
Choice choose(std::size_t bytes) {
  if (bytes <= std::size_t{128} << 10) return {1024, 0};
  if (bytes <= std::size_t{1} << 20) return {256, 2};
  if (bytes < std::size_t{512} << 20) return {512, 2};
  return {1024, 4};
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Choice choice = choose(problem.n * sizeof(T));
    const auto units = queue.facts().units;
    const unsigned grid = choice.per_unit == 0 ? 1 : choice.per_unit * units;
    with_block<256, 512, 1024>(choice.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = grid};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      if (blocks > 1) pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   partial, queue.ticket(), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::hip::r30
