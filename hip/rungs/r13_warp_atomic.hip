// r13 warp_atomic: each wavefront updates the one result atomically with its tree's value. No
// shared memory, no barrier, no partials and no second pass: only one update per wavefront, and the
// reset of the result in advance.
//
// Unlike CUDA's (3 lines, a5f19a4a): a wavefront has 32 or 64 lanes, or all threads of a smaller
// block. The host queries the number of wavefronts.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r13 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;
  constexpr unsigned wave = lanes(block);
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;

  A mine = Op::identity();
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));

#pragma unroll
  for (unsigned s = wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (tid % wave == 0) atomic_update<Op>(result, mine);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .grid = tuning.grid};
      atomic_pass(queue, problem, layout, reduce<typename Case::element, Op, block>,
                  queue.waves(block));
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r13
