// b04 staged_rows: rows that do not begin at boundaries of 16 bytes leave b03 with elements one by
// one. Here a tile of rows, with what lies between them, is one array that comes into team scratch
// in vectors, and rows are looked for there. Rows that a tile has no room for, or that lie far from
// each other, go as b03's.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b04 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      using namespace reduce_detail;
      const auto block = blocks(reduce_detail::one_block);
      if (can_be_staged(call.x, call.groups))
        return with_staged(call.x, call.groups, block, call.result, call.op, call.identity, put);
      with_lanes(call.x, call.groups, block, call.result, call.op, call.identity, put);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b04
