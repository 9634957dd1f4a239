// r02 interleaved_divergent: a tree in shared memory instead of one contended address. The distance
// between partners doubles at each level. `tid % (2 * s)` selects one thread in two, four, eight of
// every wavefront, so all wavefronts stay busy while most lanes idle. Repeated launches reduce the
// blocks' results.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r02 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  tile[tid] = i < n ? A(x[i]) : Op::identity();
  __syncthreads();

  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce<typename Case::element, Op>, reduce<A, Op>);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r02
