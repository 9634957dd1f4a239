// r08 coarsened_uncoalesced: r07, but the C elements of a thread lie side by side, as a CPU's
// threads would have them. Now neighbouring lanes load from addresses C elements apart: one load of
// a wavefront touches up to 32 sectors instead of 4, and it is left to the caches to have the rest
// of each sector at hand when the next steps come for it. Kept as a finding.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r08 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* partial, unsigned items) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  Index i = (Index{blockIdx.x} * blockDim.x + tid) * items;
  A mine = Op::identity();
#pragma unroll unrolled
  for (unsigned k = 0; k < items; ++k, ++i) mine = Op{}(mine, i < n ? A(x[i]) : Op::identity());
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

}  // namespace ladder::hip::r08
