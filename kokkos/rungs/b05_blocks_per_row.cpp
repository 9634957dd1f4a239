// b05 blocks_per_row: if there are fewer rows than resident teams, several teams share a row, each
// with one part, in 16-byte vectors. The team with the last ticket combines the partials of all
// rows, as r20 does for one. Many rows get one team each and no ticket.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b05 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      const auto block = blocks(reduce_detail::one_block);
      reduce_detail::with_teams(call.x, call.groups, block, call.wave, call.room, call.result,
                                call.op, call.identity, put);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b05
