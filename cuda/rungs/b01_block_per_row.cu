// b01 block_per_row: a block reduces a row with r12's tree; neighbouring threads load neighbouring
// elements, so loads are coalesced. For a row of 16 elements, 240 of 256 threads idle, and the row
// still pays for a block launch and a barrier.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::b01 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index length, Index pitch, typename Op::value* result) {
  using A = typename Op::value;
  const T* const row = x + Index{blockIdx.x} * pitch;
  A mine = Op::identity();
  Index i = threadIdx.x;
#pragma unroll unrolled
  for (Index k = steps(i, length, 256); k > 0; --k, i += 256) mine = Op{}(mine, A(row[i]));
  mine = reduce_block<Op, 256>(mine);
  if (threadIdx.x == 0) result[blockIdx.x] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& rows = problem.groups;
    queue.launch(reduce<T, typename Case::function>, shape_for(rows.count, 1, 256),
                 groups_pass(problem, ceil_div(rows.length, 256) + 8), problem.input, rows.length,
                 rows.pitch, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b01
