// b10 tuned_batch: one call for every shape, as one makes it from other code: this file only
// launches include/ladder/gpu/batch.hpp. Rows of up to 256 loads of 16 bytes go to lanes (b03), odd
// ones by way of shared memory (b04), longer ones to blocks, several each where they are few (b05);
// columns go to tiles (b07). A row or column that several blocks take is joined by the last of
// them, so that there is one launch each time.

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
