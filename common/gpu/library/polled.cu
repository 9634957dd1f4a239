// r30_polled: r30's kernels with the result on the host. They write it into host memory with the
// epoch of the call, and the host polls for it: no copy and no synchronization, which take longer
// than a small reduction.

#include "common/gpu/calling.hpp"

namespace ladder::LADDER_MODEL::r30_polled {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call_and_poll<Case>(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::LADDER_MODEL::r30_polled
