// r30_mapped: r30's kernels with a result that the host needs, written into the host's memory as
// r30_polled's is, but the host waits for the stream: no copy, and no code of the caller's that
// looks for a word.

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
