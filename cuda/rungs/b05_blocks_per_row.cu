// b05 blocks_per_row: several blocks reduce a row, so that a few long rows occupy all SMs. Each
// stores a partial; a second launch combines a row's partials, with b01.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::b05 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256) reduce(const T* x, Index length, Index pitch, Index chunk,
                                              unsigned chunks, typename Op::value* partial) {
  using A = typename Op::value;
  const Index row = blockIdx.x / chunks, begin = blockIdx.x % chunks * chunk;
  const Index end = begin + chunk < length ? begin + chunk : length;
  const T* const at = x + row * pitch;
  A mine = Op::identity();
  Index i = begin + threadIdx.x;
#pragma unroll unrolled
  for (Index k = steps(i, end, 256); k > 0; --k, i += 256) mine = Op{}(mine, A(at[i]));
  mine = reduce_block<Op, 256>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Groups& rows = problem.groups;
    // Sixteen blocks per SM, with at least 4096 elements each.
    const std::size_t wanted = ceil_div(16 * queue.facts().units, rows.count);
    const std::size_t most = std::clamp<std::size_t>(rows.length / 4096, 1, wanted);
    const std::size_t chunk = std::max<std::size_t>(ceil_div(rows.length, most), 1);
    const std::size_t chunks = ceil_div(rows.length, chunk), blocks = rows.count * chunks;
    A* const partial = chunks == 1 ? problem.result : queue.scratch<A>(blocks);
    Pass pass = groups_pass(problem, ceil_div(chunk, 256) + 8);
    pass.written_bytes = blocks * sizeof(A);
    queue.launch(reduce<T, Op>, shape_for(blocks, 1, 256), pass, problem.input, rows.length,
                 rows.pitch, chunk, chunks, partial);
    if (chunks == 1) return;
    queue.launch(reduce<A, Op>, shape_for(rows.count, 1, 256),
                 Pass{blocks * sizeof(A), rows.count * sizeof(A), ceil_div(chunks, 256) + 8},
                 partial, chunks, chunks, chunks, 1, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b05
