// r01 block_serial: a block stages its elements in shared memory, and one thread combines them. One
// atomic update per block replaces r00's one per element, which shortens the queue at the one
// address. The other threads only load and wait.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::r01 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  tile[tid] = i < n ? A(x[i]) : Op::identity();
  __syncthreads();

  if (tid > 0) return;
  A mine = tile[0];
  for (unsigned k = 1; k < blockDim.x; ++k) mine = Op{}(mine, tile[k]);
  atomic_update<Op>(result, mine);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A), .serial = true};
    atomic_pass(queue, problem, layout, reduce<typename Case::element, Op>);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r01
