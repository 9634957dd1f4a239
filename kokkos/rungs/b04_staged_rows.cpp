// b04 staged_rows: in b03, unaligned rows leave elements that are loaded one by one. Here a tile of
// rows, gaps included, is copied to team scratch as one array, in vectors. There a row has one or
// several threads, which need no lanes: any row length has the same kernel. Rows with gaps larger
// than a row are read in place. Rows that exceed a tile have 32 lanes, as in b03.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b04 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      using namespace reduce_detail;
      const auto block = blocks(one_block);
      if (can_be_staged<const typename Case::element*, typename Case::accumulator>(call.groups))
        return with_staged(call.x, call.groups, block, call.wave, call.result, call.op,
                           call.identity, put);
      with_lanes<reduce_detail::lanes>(call.x, call.groups, block, call.result, call.op,
                                       call.identity, put);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b04
