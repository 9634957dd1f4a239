// b07 column_tiles: a leaf loads a 16-byte vector of a row and accumulates each of its columns. A
// team takes part of a wide row, or several narrow rows, whose values then meet in team scratch.
// Row chunks supply enough teams for few columns; a second launch combines them. Unaligned rows use
// vectors of one element.

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
