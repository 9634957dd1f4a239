// b05 blocks_per_row: where there are fewer rows than teams that the device has room for, several
// teams take a row, each one part of it, in vectors of 16 bytes. Who draws the last ticket joins
// the partials of all rows, as r20 does for one. Many rows have a team each and draw no ticket.

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
