// b03 lanes_per_row: a row of 16 bytes needs one lane, not 32. Each row has as many lanes as it has
// vectors of 16 bytes, 1 to 32, each a kernel of its own, since the lanes of a team's thread are a
// matter of its policy. Four rows are under way in each of a team's threads. A row that does not
// begin at a boundary has a head and a rest, which a short one has little beside.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b03 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      const auto block = blocks(reduce_detail::one_block);
      reduce_detail::with_lanes(call.x, call.groups, block, call.result, call.op, call.identity,
                                put);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b03
