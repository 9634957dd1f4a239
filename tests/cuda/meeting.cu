// A correct rung with a masked warp barrier; with --items=64 the mask lacks a lane, which synccheck
// must detect (sanitize.sh).

#include <array>

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda::faulty::meeting {
namespace {

/// The first 17 lanes of each warp synchronize with a mask of exactly these. The planted mask lacks
/// the last of them, which is undefined.
constexpr unsigned lanes_that_meet = 17, own = (1U << lanes_that_meet) - 1, lacking_one = own >> 1;
constexpr unsigned planted = 64;  // no other test uses these `items`

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_with_meeting(const T* x, Index n, typename Op::value* partial, unsigned mask) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * block + threadIdx.x;
  const A mine = i < n ? A(x[i]) : Op::identity();
  if (threadIdx.x % warp < lanes_that_meet) __syncwarp(mask);
  const A all = reduce_block<Op, block>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
struct WithMeeting {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block<32, 256, 1024>(tuning.block, [&]<unsigned block>() {
      in_passes(queue, problem, Layout{.block = block},
                reduce_with_meeting<typename Case::element, Op, block>,
                reduce_with_meeting<A, Op, block>, tuning.items == planted ? lacking_one : own);
    });
  }
};
Run<Queue> find_meeting(Type type, Operation operation) {
  return pick<Queue, WithMeeting>(Each<Operation::sum>::Over<Type::f32>{}, type, operation);
}

constexpr std::array all{
    Extra{
        Rung{"variant_meeting", "", "", "has lanes meet by a mask; with --items=64 by a wrong one",
             "an experiment", block_axis | items_axis},
        Entry{"variant_meeting", find_meeting, Tuning{.block = 256, .items = 1}}, false},
};

}  // namespace

std::span<const Extra> rungs() { return all; }

}  // namespace ladder::cuda::faulty::meeting
