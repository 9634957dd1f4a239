// r00 atomic_per_element: the shortest correct kernel. One thread an element, and every thread
// updates the same address atomically, so the memory takes the updates one after another: what all
// later rungs avoid. For int32 nvcc itself combines a warp's values first (REDUX) and updates once
// a warp; min and max of floating types have no atomic instruction and loop on compare-and-swap.

#include "cuda/atomics.hpp"
#include "cuda/index.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda::r00 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomic_update<Op>(result, A(x[i]));
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const std::size_t blocks = ceil_div(problem.n, tuning.block);
    // All updates of the one address are one chain. The result has to be reset for each run: part
    // of the rung's cost.
    const Pass pass{problem.n * sizeof(T), sizeof(A), problem.n};
    queue.launch(set<A>, Shape{1, 1}, Pass{0, sizeof(A), 0}, problem.result, Op::identity());
    queue.launch(reduce<T, Op>, Shape{blocks, tuning.block}, pass, problem.input, problem.n,
                 problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r00
