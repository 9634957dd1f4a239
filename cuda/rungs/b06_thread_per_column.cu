// b06 thread_per_column: a thread walks down a column. Neighbouring threads read neighbouring
// addresses, so loads are coalesced; but a matrix of few columns keeps few threads busy.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"

namespace ladder::cuda::b06 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index columns, Index length, Index pitch, typename Op::value* result) {
  using A = typename Op::value;
  const Index column = Index{blockIdx.x} * 256 + threadIdx.x;
  if (column >= columns) return;
  A mine = Op::identity();
#pragma unroll unrolled
  for (Index i = 0; i < length; ++i) mine = Op{}(mine, A(x[i * pitch + column]));
  result[column] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& columns = problem.groups;
    queue.launch(reduce<T, typename Case::function>, shape_for(columns.count, 256, 256),
                 groups_pass(problem, columns.length), problem.input, columns.count, columns.length,
                 columns.pitch, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b06
