// What every step up to c09 was worth, by size: one thread for what is read sooner than a second
// one is started, then as many as get a share worth it; eight chains, in one piece in the first
// cache, in four behind it, in two and with a prefetch further out (cpu/choice.hpp, or a file of
// ./study tune). The threads wait in a loop while this rung is measured, so that starting them
// takes less than a microsecond. Where a share is large, its worker takes a piece of it at a time,
// and then pieces that others have left: threads do not read equally fast, and a core that is taken
// away for a millisecond keeps nobody waiting. A piece's value has its own place, so that who
// reduced it does not show in the result.

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <hwy/cache_control.h>

#include "common/accounting.hpp"
#include "cpu/choice.hpp"
#include "cpu/queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c13_tuned.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c13::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::Folding;
using cpu::HWY_NAMESPACE::next_two;

/// Elements: to a multiple of which shares are cut.
constexpr std::size_t cut = 4096;
/// Bytes that a worker takes at a time, at least, of a share that has so many of them.
constexpr std::size_t turn_bytes = 256 << 10, turns_of_a_share = 8;

/// `ahead`: bytes from a load to its prefetch, if there are prefetches.
template <class Case, unsigned pieces, bool prefetches = false>
HWY_INLINE typename Case::accumulator fold(const typename Case::element* x, std::size_t n,
                                           std::size_t ahead) {
  using By = Folding<Case>;
  auto a = By::identity(), b = a, c = a, d = a, e = a, f = a, g = a, h = a, low = a;
  auto high = By::watch(), far = high;
  constexpr std::size_t chains = 8 / pieces;
  const std::size_t step = By::elements(), stride = chains * step;
  const std::size_t piece = n / pieces / stride * stride;
  const auto place = [&](std::size_t i, std::size_t which) HWY_ATTR {
    const auto* at = x + i + which % chains * step + which / chains * piece;
    if constexpr (prefetches) hwy::Prefetch(reinterpret_cast<const std::byte*>(at) + ahead);
    return at;
  };
  for (std::size_t i = 0; i < piece; i += stride) {
    next_two<By>(a, place(i, 0), b, place(i, 1), low, high);
    next_two<By>(c, place(i, 2), d, place(i, 3), low, far);
    next_two<By>(e, place(i, 4), f, place(i, 5), low, high);
    next_two<By>(g, place(i, 6), h, place(i, 7), low, far);
  }
  a = By::join(By::join(a, b), By::join(c, d));
  e = By::join(By::join(e, f), By::join(g, h));
  return By::finish(x, n, pieces * piece, By::join(a, e), low, By::both(high, far));
}

/// Each worker takes turns of its own share, then of the next ones'. `kernel`: fold.
template <class Case, class A = typename Case::accumulator>
A in_turns(Queue& queue, unsigned workers, const typename Case::element* x, std::size_t n,
           std::size_t ahead,
           A (*kernel)(const typename Case::element*, std::size_t, std::size_t)) {
  using Op = typename Case::function;
  const std::size_t least =
      std::max(turn_bytes / sizeof(*x), ceil_div(n, workers * subtrees_per_worker));
  const std::size_t count = ceil_div(least, cut) * cut, turns = ceil_div(n, count);
  const auto first_of = [=](std::size_t worker) { return turns * worker / workers; };
  A* values = queue.subtrees<A>();
  auto* next = queue.partials<std::size_t>();  // of each share, the turn that nobody has taken
  for (unsigned i = 0; i < workers; ++i) next[i].value = first_of(i);
  queue.host().team().run(workers, [&](unsigned me) {
    for (unsigned i = 0; i < workers; ++i) {
      const unsigned whose = (me + i) % workers;
      const std::size_t end = first_of(whose + 1);
      const std::atomic_ref mine(next[whose].value);
      for (std::size_t turn = 0; (turn = mine.fetch_add(1, std::memory_order_relaxed)) < end;) {
        const std::size_t first = turn * count;
        values[turn] = kernel(x + first, std::min(count, n - first), ahead);
      }
    }
  });
  auto value = Op::identity();
  for (std::size_t turn = 0; turn < turns; ++turn) value = Op{}(value, values[turn]);
  return value;
}

/// What is not for one thread and the first cache. Not inlined: what it needs, the smallest would
/// pay for.
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
  queue.host().team().run(workers, [&](unsigned me) {
    const std::size_t count = me + 1 == workers ? n - me * share : share;
    partials[me].value = kernel(x + me * share, count, ahead);
  });
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
