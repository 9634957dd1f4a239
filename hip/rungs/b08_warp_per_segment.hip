// b08 warp_per_segment: a wavefront reduces a segment, the simplest mapping. With uneven lengths, a
// wavefront with a long segment runs on after all others finish; in short segments most lanes idle.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::b08 {
namespace {

template <class T, class Op>
__global__ void __launch_bounds__(256)
    reduce(const T* x, const std::int64_t* offsets, Index count, typename Op::value* result) {
  using A = typename Op::value;
  constexpr unsigned wave = wave_size();
  const Index segment = Index{blockIdx.x} * (256 / wave) + threadIdx.x / wave;
  if (segment >= count) return;
  const Index end = offsets[segment + 1];
  A mine = Op::identity();
  Index i = offsets[segment] + threadIdx.x % wave;
#pragma unroll unrolled
  for (Index k = steps(i, end, wave); k > 0; --k, i += wave) mine = Op{}(mine, A(x[i]));
#pragma unroll
  for (unsigned s = wave / 2; s > 0; s /= 2) mine = Op{}(mine, from_above(mine, s));
  if (threadIdx.x % wave == 0) result[segment] = mine;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    const Groups& segments = problem.groups;
    Pass pass = groups_pass(problem, ceil_div(segments.length, 32) + 6);
    pass.read_bytes += (segments.count + 1) * sizeof *segments.offsets;
    queue.launch(reduce<T, typename Case::function>,
                 shape_for(segments.count, queue.waves(256), 256), pass, problem.input,
                 segments.offsets, segments.count, problem.result);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::hip::b08
