// b04 staged_rows: a block copies a tile of contiguous rows into shared memory as one array, in
// 16-byte loads. Rows of 5 or 17 elements then load as fast as rows of 16. The lanes are then
// divided among the rows. Rows that exceed a tile or have gaps are read directly, one element at a
// time.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::hip::b04 {
namespace {

constexpr unsigned tile_bytes = 16 * 1024;

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, Index rows, Index length, Index pitch, unsigned rows_of_tile, unsigned lanes,
           typename Op::value* result) {
  using A = typename Op::value;
  __shared__ Vector<T> memory[tile_bytes / sizeof(Vector<T>) + 2];
  const unsigned tid = threadIdx.x, lane = tid % lanes, groups = 256 / lanes;
  const Index first = Index{blockIdx.x} * rows_of_tile;
  const Index left = rows - first, count = left < rows_of_tile ? left : rows_of_tile;
  const T* const from = x + first * pitch;
  const bool staged = pitch == length && rows_of_tile * length <= Index{tile_bytes / sizeof(T)};
  // The tile has the rows' offset from a 16-byte boundary.
  const auto [head, vectors, tail] = split(from, count * length);
  T* const tile = reinterpret_cast<T*>(memory) + (width<T> - head) % width<T>;
  if (staged) {
    const auto* const source = reinterpret_cast<const Vector<T>*>(from + head);
    auto* const target = reinterpret_cast<Vector<T>*>(tile + head);
#pragma unroll unrolled
    for (Index i = tid; i < vectors; i += 256) target[i] = source[i];
    if (tid < head) tile[tid] = from[tid];
    if (tid < count * length - tail) tile[tail + tid] = from[tail + tid];
    __syncthreads();
  }
  const T* const there = staged ? tile : from;
#pragma unroll 1
  for (Index begin = 0; begin < count; begin += groups) {  // lanes of a wavefront do not diverge
    const Index row = begin + tid / lanes;
    A mine = Op::identity();
    if (row < count)
      for (Index i = lane; i < length; i += lanes) mine = Op{}(mine, A(there[row * pitch + i]));
#pragma unroll 1
    for (unsigned s = lanes / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
    if (lane == 0 && row < count) result[first + row] = mine;
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& rows = problem.groups;
    const std::size_t fit = tile_bytes / sizeof(T) / std::max<std::size_t>(rows.length, 1);
    const auto of_tile = static_cast<unsigned>(std::clamp<std::size_t>(fit, 8, 256));
    const unsigned lanes = std::bit_floor(256 / of_tile);
    queue.launch(reduce<T, typename Case::function>, shape_for(rows.count, of_tile, 256),
                 groups_pass(problem, ceil_div(rows.length, lanes) + 6), problem.input, rows.count,
                 rows.length, rows.pitch, of_tile, lanes, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::hip::b04
