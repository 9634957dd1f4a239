// b03 lanes_per_row: a row of 16 bytes needs one lane, not 32. Rows get one lane per 16-byte
// vector, 1 to 32; each lane count is a separate kernel, because the policy fixes a thread's lanes.
// A short unaligned row is mostly head and tail, loaded one element at a time.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b03 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem, [](const auto& call, const auto& blocks, const auto& put) {
      using namespace reduce_detail;
      const auto launch = [&]<unsigned lanes_of_row>() {
        with_lanes<lanes_of_row>(call.x, call.groups, blocks(one_block), call.result, call.op,
                                 call.identity, put);
      };
      constexpr Index width = Access<const typename Case::element*>::width;
      const Index vectors = parts_of(call.groups.length, width);
      if (vectors > 16) return launch.template operator()<32>();
      if (vectors > 8) return launch.template operator()<16>();
      if (vectors > 4) return launch.template operator()<8>();
      if (vectors > 2) return launch.template operator()<4>();
      launch.template operator()<1>();
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b03
