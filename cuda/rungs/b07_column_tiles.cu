// b07 column_tiles: each block reduces a tile of up to 256 columns and a chunk of rows; the chunks
// supply enough blocks for the device. In a narrow tile, a block reads several rows at once. A
// second launch of the same kernel combines each column's partials in order.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"

namespace ladder::cuda::b07 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index columns, Index length, Index pitch, unsigned chunks, Index chunk,
           typename Op::value* partial) {
  using A = typename Op::value;
  __shared__ A tile[256];
  const Index first = blockIdx.x / chunks * Index{256}, part = blockIdx.x % chunks;
  const Index left = columns - first;
  const unsigned wide = left < 256 ? static_cast<unsigned>(left) : 256;
  const unsigned together = 256 / wide;  // rows per step
  const unsigned row = threadIdx.x / wide, column = threadIdx.x % wide;
  const Index end = (part + 1) * chunk < length ? (part + 1) * chunk : length;
  A mine = Op::identity();
  if (row < together) {
    Index i = part * chunk + row;
#pragma unroll unrolled
    for (Index k = steps(i, end, together); k > 0; --k, i += together)
      mine = Op{}(mine, A(x[i * pitch + first + column]));
  }
  tile[threadIdx.x] = mine;
  __syncthreads();
  if (row > 0) return;
  for (unsigned r = 1; r < together; ++r) mine = Op{}(mine, tile[r * wide + column]);
  partial[part * columns + first + column] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Groups& all = problem.groups;
    const std::size_t tiles = ceil_div(all.count, 256);
    const std::size_t together = 256 / std::min<std::size_t>(all.count, 256);
    // Eight blocks per SM, with at least 16 rows per thread.
    const std::size_t wanted = ceil_div(8 * queue.facts().units, tiles);
    const std::size_t most = std::clamp<std::size_t>(all.length / (16 * together), 1, wanted);
    const std::size_t chunk = std::max<std::size_t>(ceil_div(all.length, most), 1);
    const std::size_t chunks = ceil_div(all.length, chunk), partials = chunks * all.count;
    A* const partial = chunks == 1 ? problem.result : queue.scratch<A>(partials);
    Pass pass = groups_pass(problem, ceil_div(chunk, together) + together);
    pass.written_bytes = partials * sizeof(A);
    queue.launch(reduce<T, Op>, shape_for(tiles * chunks, 1, 256), pass, problem.input, all.count,
                 all.length, all.pitch, chunks, chunk, partial);
    if (chunks == 1) return;
    queue.launch(reduce<A, Op>, shape_for(tiles, 1, 256),
                 Pass{partials * sizeof(A), all.count * sizeof(A), chunks + together}, partial,
                 all.count, chunks, all.count, 1, chunks, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b07
