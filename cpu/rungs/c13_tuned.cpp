// What every step up to c09 was worth, by size: one thread for what is read sooner than a second
// one is started, then as many as get a share worth it; eight chains, in one piece and without a
// prefetch in the first cache, in two pieces and with one behind it. The threads wait in a loop
// while this rung is measured, so that starting them takes less than a microsecond.

#include <algorithm>

#include <hwy/cache_control.h>

#include "cpu/queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c13_tuned.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c13::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::Folding;

/// Bytes: a thread's least share, up to which share it is in the first cache, from a load to its
/// prefetch. Elements: to a multiple of which shares are cut.
constexpr std::size_t least_share = 128 << 10, first_cache = 32 << 10, ahead = 2048, cut = 4096;

/// Four chains on each of two pieces, or eight in a row.
template <class Case, bool pieces>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using By = Folding<Case>;
  auto a = By::identity(), b = a, c = a, d = a, e = a, f = a, g = a, h = a, low = a, high = a;
  const std::size_t step = By::elements(), stride = (pieces ? 4 : 8) * step;
  const std::size_t end = n / (pieces ? 2 : 1) / stride * stride, other = pieces ? end : 4 * step;
  const auto next = [&](auto chain, const auto* at) HWY_ATTR {
    if constexpr (pieces) hwy::Prefetch(at + ahead / sizeof(*at));
    return By::next(chain, at, low, high);
  };
  for (std::size_t i = 0; i < end; i += stride) {
    a = next(a, x + i);
    b = next(b, x + i + step);
    c = next(c, x + i + 2 * step);
    d = next(d, x + i + 3 * step);
    e = next(e, x + i + other);
    f = next(f, x + i + other + step);
    g = next(g, x + i + other + 2 * step);
    h = next(h, x + i + other + 3 * step);
  }
  a = By::join(By::join(a, b), By::join(c, d));
  e = By::join(By::join(e, f), By::join(g, h));
  return By::finish(x, n, pieces ? 2 * end : end, By::join(a, e), low, high);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    const auto* x = problem.input;
    const std::size_t n = problem.n;
    const std::size_t bytes = n * sizeof(*x);
    const std::size_t worth = std::max<std::size_t>(1, bytes / least_share);
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(tuning.workers, worth));
    const auto kernel = bytes / workers <= first_cache ? fold<Case, false> : fold<Case, true>;
    if (workers == 1) {
      *problem.result = kernel(x, n);
      return;
    }
    auto* partials = queue.partials<typename Case::accumulator>();
    const std::size_t share = n / workers / cut * cut;
    queue.host().team().run(workers, [&](unsigned me) {
      partials[me].value = kernel(x + me * share, me + 1 == workers ? n - me * share : share);
    });
    auto value = Op::identity();
    for (unsigned i = 0; i < workers; ++i) value = Op{}(value, partials[i].value);
    *problem.result = value;
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
