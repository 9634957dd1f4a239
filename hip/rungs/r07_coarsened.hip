// r07 coarsened: each thread combines C elements before the tree, one block width apart, so a
// wavefront's load is contiguous. It generalizes r06 from 2 to C: fewer blocks, fewer trees, and
// more loads in flight per thread. C is a sweep axis.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r07 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* partial, unsigned items) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  Index i = Index{blockIdx.x} * (items * blockDim.x) + tid;
  A mine = Op::identity();
#pragma unroll unrolled
  for (unsigned k = 0; k < items; ++k, i += blockDim.x)
    mine = Op{}(mine, i < n ? A(x[i]) : Op::identity());
  tile[tid] = mine;
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{
        .block = tuning.block, .items = tuning.items, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce<typename Case::element, Op>, reduce<A, Op>,
              tuning.items);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r07
