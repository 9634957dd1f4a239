// c13 tuned: the best combination of the steps up to c09 by size (cpu/cpu_choice.hpp, or a file of
// ./study tune). Small inputs use one thread, until a second one starts in less time than it saves.
// Eight chains read one piece in the L1 cache, four beyond it, then two with prefetches. While this
// rung is measured its threads spin, so they start in less than a microsecond. A worker takes a
// large share in pieces, and then other workers' remaining pieces: threads differ in speed, and a
// core may be preempted for a millisecond. Each piece stores its own value, so the result does not
// depend on the schedule.

#include <algorithm>
#include <cstddef>

#include "common/accounting.hpp"
#include "cpu/cpu_choice.hpp"
#include "cpu/cpu_queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c13_tuned.cpp"
#include <hwy/foreach_target.h>

#include "cpu/folding-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c13::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::fold;

/// Shares are multiples of this number of elements.
constexpr std::size_t cut = 4096;
/// Minimum work items of a share.
constexpr std::size_t turns_of_a_share = 8;

/// Dynamic scheduling of work items on all workers. `kernel`: fold.
template <class Case, class A = typename Case::accumulator>
A in_turns(Queue& queue, unsigned workers, const typename Case::element* x, std::size_t n,
           std::size_t ahead,
           A (*kernel)(const typename Case::element*, std::size_t, std::size_t)) {
  using Op = typename Case::function;
  const std::size_t least =
      std::max(turn_bytes / sizeof(*x), ceil_div(n, workers * subtrees_per_worker));
  const std::size_t count = ceil_div(least, cut) * cut, turns = ceil_div(n, count);
  A* values = queue.subtrees<A>();
  queue.host().team().run_in_turns(workers, turns, [&](std::size_t turn) {
    const std::size_t first = turn * count;
    values[turn] = kernel(x + first, std::min(count, n - first), ahead);
  });
  auto value = Op::identity();
  for (std::size_t turn = 0; turn < turns; ++turn) value = Op{}(value, values[turn]);
  return value;
}

/// All configurations other than one thread in the L1 cache. Not inlined: its setup would slow the
/// smallest inputs.
template <class Case>
HWY_NOINLINE typename Case::accumulator by_way(Queue& queue, const typename Case::element* x,
                                               std::size_t n, const HostChoice& way) {
  using Op = typename Case::function;
  const unsigned workers = way.workers;
  const std::size_t ahead = way.prefetch;
  const auto kernel = way.pieces == 1   ? fold<Case, 1>
                      : way.pieces == 4 ? fold<Case, 4>
                      : ahead == 0      ? fold<Case, 2>
                                        : fold<Case, 2, true>;
  if (workers == 1) return kernel(x, n, ahead);
  if (n * sizeof(*x) / workers >= turns_of_a_share * turn_bytes) {
    return in_turns<Case>(queue, workers, x, n, ahead, kernel);
  }
  auto* partials = queue.partials<typename Case::accumulator>();
  const std::size_t share = n / workers / cut * cut;
  const auto of_share = [=](unsigned me) {  // by value: workers read two cache lines
    const std::size_t count = me + 1 == workers ? n - me * share : share;
    partials[me].value = kernel(x + me * share, count, ahead);
  };
  auto& team = queue.host().team();
  if (n * sizeof(*x) < before_they_wake) {
    team.run_if_awake(workers, of_share);
  } else {
    team.run(workers, of_share);
  }
  auto value = Op::identity();
  for (unsigned i = 0; i < workers; ++i) value = Op{}(value, partials[i].value);
  return value;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const auto* x = problem.input;
    const std::size_t n = problem.n, bytes = n * sizeof(*x);
    const Tuned& tuned = queue.host().tuned();
    *problem.result =
        at_once(tuned, Case::type, Case::operation, bytes)
            ? fold<Case, 1>(x, n, 0)
            : by_way<Case>(queue, x, n,
                           choice(tuned, Case::type, Case::operation, bytes, tuning.workers));
  }
};

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Everything{}, type, operation);
}

}  // namespace ladder::cpu::c13::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c13 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c13
#endif
