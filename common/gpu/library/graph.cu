// r30_graph: r30_polled as a graph that is made once and replayed. The workspace's number is
// advanced on the device, so that each replay is a call of its own; what a launch has to be told of
// the kernel and its parameters is told when the graph is made.

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
