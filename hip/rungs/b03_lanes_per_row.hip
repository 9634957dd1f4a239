// b03 lanes_per_row: 1 to 32 lanes reduce a row, one per 16-byte load: a wavefront has up to 32
// short rows at once and no lane idles. Unaligned rows are loaded one element at a time. Lanes walk
// along a row with more than 32 loads, as in b02.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"

namespace ladder::hip::b03 {
namespace {

/// Loads are of type V, with `width` elements each.
template <class T, class V, class Op>
__global__ void __launch_bounds__(256) reduce(const T* x, Index rows, Index length, Index pitch,
                                              unsigned lanes, typename Op::value* result) {
  using A = typename Op::value;
  constexpr Index width = sizeof(V) / sizeof(T);
  const Index group = (Index{blockIdx.x} * 256 + threadIdx.x) / lanes;
  const unsigned lane = threadIdx.x % lanes;
  const Index row = group < rows ? group : rows - 1;  // lanes of a wavefront do not diverge
  const T* const at = x + row * pitch;
  const auto* const v = reinterpret_cast<const V*>(at);
  const Index loads = length / width;
  A mine = Op::identity();
  Index i = lane;
#pragma unroll unrolled
  for (Index k = steps(i, loads, lanes); k > 0; --k, i += lanes) {
    if constexpr (width == 1) {
      mine = Op{}(mine, A(at[i]));
    } else {
      mine = Op{}(mine, fold<Op, T>(v[i]));
    }
  }
  for (Index rest = loads * width + lane; rest < length; rest += lanes)
    mine = Op{}(mine, A(at[rest]));
#pragma unroll 1
  for (unsigned s = lanes / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (lane == 0 && group < rows) result[row] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using Op = typename Case::function;
    const Groups& rows = problem.groups;
    const auto address = reinterpret_cast<std::uintptr_t>(problem.input);
    const bool whole = address % sizeof(Vector<T>) == 0 && rows.pitch % width<T> == 0;
    const std::size_t loads = whole ? ceil_div(rows.length, width<T>) : rows.length;
    const auto lanes = static_cast<unsigned>(std::bit_ceil(std::min<std::size_t>(loads, 32)));
    const Shape shape = shape_for(rows.count, 256 / lanes, 256);
    const Pass pass = groups_pass(problem, (ceil_div(loads, lanes) + 1) * width<T> + 6);
    queue.launch(whole ? reduce<T, Vector<T>, Op> : reduce<T, T, Op>, shape, pass, problem.input,
                 rows.count, rows.length, rows.pitch, lanes, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::hip::b03
