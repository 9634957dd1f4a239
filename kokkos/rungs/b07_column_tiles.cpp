// b07 column_tiles: a leaf has a vector of 16 bytes of a row, its columns each a chain of their
// own. Of wide rows a team has a part, of narrow ones several at once, which then meet in team
// scratch. Teams take chunks of the rows, so that few columns are work for the whole device too; a
// second launch joins the chunks. Where rows do not begin at boundaries, a vector is an element.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b07 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      reduce_detail::with_column_tiles(call.x, call.groups, blocks, call.wave, call.room,
                                       call.result, call.op, call.identity, put);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b07
