// b05 blocks_per_row: where there are fewer rows than teams that the device has room for, several
// teams take a row, each one part of it, in vectors of 16 bytes. Who draws the last ticket joins
// the partials of all rows, as r20 does for one. Many rows have a team each and draw no ticket.

#include "kokkos/batch_rows.hpp"

namespace ladder::kokkos::b05 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    by_teams(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b05
