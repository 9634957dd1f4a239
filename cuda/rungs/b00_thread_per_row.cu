// b00 thread_per_row: a thread walks along a row. Neighbouring threads read addresses one row
// apart, so a warp's load touches as many cache lines as it has lanes. Most of these lines are
// evicted before the next element is needed.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"

namespace ladder::cuda::b00 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index rows, Index length, Index pitch, typename Op::value* result) {
  using A = typename Op::value;
  const Index row = Index{blockIdx.x} * 256 + threadIdx.x;
  if (row >= rows) return;
  A mine = Op::identity();
#pragma unroll unrolled
  for (Index i = 0; i < length; ++i) mine = Op{}(mine, A(x[row * pitch + i]));
  result[row] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& rows = problem.groups;
    queue.launch(reduce<T, typename Case::function>, shape_for(rows.count, 256, 256),
                 groups_pass(problem, rows.length), problem.input, rows.count, rows.length,
                 rows.pitch, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b00
