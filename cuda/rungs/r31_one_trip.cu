// r31 one_trip: one L2 round trip after the last load. r20 has three: store the partial, draw the
// ticket, read the others' partials. Here each block stores its partial and the number of the call
// in one word. The grid's last block polls the words until they have this call's number. It waits
// only for blocks scheduled before it, which wait for nothing. That block increments the number in
// memory, so a captured graph can repeat the launch.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "common/gpu/words.hpp"

namespace ladder::cuda::r31 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce(const T* x, Index n, Words words, typename Op::value* result) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const unsigned last = gridDim.x - 1;
  unsigned call = 0;
  if (tid == 0 || blockIdx.x == last) call = number_of_call(words);
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
  if (blockIdx.x != last) {
    if (tid == 0) leave(words, blockIdx.x, mine, call);
    return;
  }

  if (tid != 0) mine = Op::identity();
  mine = collect<Op>(words, tid, block, last, call, mine);
  __syncthreads();
  mine = reduce_block<Op, block>(mine);
  if (tid == 0) *result = mine;
  finish(words, call, tid, blockDim.x);
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
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   queue.words<A>(blocks), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::r31
