// r30 tuned: the best that was found for every size, type and operation, as one calls it from other
// code: this file only launches include/ladder/gpu/reduce.hpp. Small inputs go to one block, which
// has no one to wait for; the others to r31's words, in larger blocks the more there is to read,
// and as long as it pays in as many as it takes for each thread to load once. What was tried is in
// docs/tuned.md.

#include "common/gpu/calling.hpp"

namespace ladder::hip::r30 {
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

}  // namespace ladder::hip::r30
