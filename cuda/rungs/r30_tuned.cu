// r30 tuned: the fastest known launch for every size, type and operation; this file only launches
// include/ladder/gpu/reduce.hpp, the header that other code calls. One block reduces small inputs,
// without a wait for others. Larger inputs use r31's words, with block sizes that grow with the
// input and, while that pays, one load round per thread. The ablations are in docs/tuned.md.

#include "common/gpu/calling.hpp"

namespace ladder::cuda::r30 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Native<typename Case::accumulator>;
    call<Case>(queue, problem, choice_of<Case>(queue, problem),
               reinterpret_cast<A*>(problem.result));
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::r30
