// r18 tree_block_atomic: r04's tree, then one atomic update of the result per block: the reset, a
// single launch and no partials. All blocks update one address: r00's cost per element becomes a
// cost per block.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r18 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  tile[tid] = i < n ? A(x[i]) : Op::identity();
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) atomic_update<Op>(result, tile[0]);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    atomic_pass(queue, problem, layout, reduce<typename Case::element, Op>);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r18
