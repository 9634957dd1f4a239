// b03 lanes_per_row: a row of 16 bytes needs one lane, not 32. Rows get one lane per 16-byte
// vector, 1 to 32; each lane count is a separate kernel, because the policy fixes a thread's lanes.
// Each thread has four rows in flight. A short unaligned row is mostly head and tail, loaded one
// element at a time.

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
