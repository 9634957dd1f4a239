// b10 tuned_batch: one call for every shape; this file only launches include/ladder/gpu/batch.hpp,
// the header that other code calls. Lanes reduce rows of up to 256 16-byte loads (b03), and
// unaligned rows are staged in shared memory (b04). Blocks reduce longer rows, several per row if
// rows are few (b05); columns are tiled (b07). The last block of a row or column combines its
// partials, so each call is one launch.

#include "common/gpu/batch_calling.hpp"

namespace ladder::cuda::b10 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_batch(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::b10
