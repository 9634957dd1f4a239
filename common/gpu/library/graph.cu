// r30_graph: r30_polled as a graph, captured once and replayed. The device advances the epoch in
// the workspace, so each replay is a call of its own. The kernel and its parameters are fixed at
// capture.

#include "common/gpu/calling.hpp"

namespace ladder::LADDER_MODEL::r30_graph {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    constexpr bool replayed = true;
    call_and_poll<Case, replayed>(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::LADDER_MODEL::r30_graph
