// r08 coarsened_uncoalesced: r07, but a thread's C elements are contiguous, as on a CPU.
// Neighbouring lanes now load from addresses C elements apart, so a wavefront's load touches up to
// 32 sectors instead of 4. The caches have to keep the rest of each sector for the next steps. A
// negative result, kept as such.

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
