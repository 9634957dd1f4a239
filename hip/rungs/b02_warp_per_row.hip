// b02 warp_per_row: a wavefront reduces a row. It needs no barrier and no shared memory, and a
// block has eight rows in flight instead of one.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::b02 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index rows, Index length, Index pitch, typename Op::value* result) {
  using A = typename Op::value;
  constexpr unsigned wave = wave_size();
  const Index row = Index{blockIdx.x} * (256 / wave) + threadIdx.x / wave;
  if (row >= rows) return;
  A mine = Op::identity();
  Index i = threadIdx.x % wave;
#pragma unroll unrolled
  for (Index k = steps(i, length, wave); k > 0; --k, i += wave)
    mine = Op{}(mine, A(x[row * pitch + i]));
#pragma unroll
  for (unsigned s = wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (threadIdx.x % wave == 0) result[row] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& rows = problem.groups;
    queue.launch(reduce<T, typename Case::function>, shape_for(rows.count, queue.waves(256), 256),
                 groups_pass(problem, ceil_div(rows.length, 32) + 6), problem.input, rows.count,
                 rows.length, rows.pitch, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::hip::b02
