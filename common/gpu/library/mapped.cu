// r30_mapped: r30's kernels with the result on the host, written into host memory as by r30_polled,
// but the host waits for the stream: no copy, and no polling code in the caller.

#include "common/gpu/calling.hpp"

namespace ladder::LADDER_MODEL::r30_mapped {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Native<typename Case::accumulator>;
    call<Case>(queue, problem, choice_of<Case>(queue, problem), queue.host_result<A>());
    if (!queue.tracing()) queue.synchronize();
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::LADDER_MODEL::r30_mapped
