// c09 prefetch_and_pages: c08 with a software prefetch some steps ahead of each load. Hardware
// prefetchers follow a stream only to the end of its 4 KiB page; software prefetches continue. In
// cache they cost an instruction for lines that are present. The buffer of all rungs uses large
// pages if the system has them.

#include <hwy/cache_control.h>

#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c09_prefetch_and_pages.cpp"
#include <hwy/foreach_target.h>

#include "cpu/folding-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c09::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::Folding;
using cpu::HWY_NAMESPACE::next_two;

/// Prefetch distance in bytes.
constexpr std::size_t ahead = 1024;

template <class Case>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using By = Folding<Case>;
  auto a = By::identity(), b = a, c = a, d = a, low = a;
  auto high = By::watch(), far = high;
  const std::size_t step = By::elements(), quarter = n / 4 / step * step;
  constexpr std::size_t soon = ahead / sizeof(*x);
  for (std::size_t i = 0; i < quarter; i += step) {
    hwy::Prefetch(x + i + soon);
    hwy::Prefetch(x + i + quarter + soon);
    hwy::Prefetch(x + i + 2 * quarter + soon);
    hwy::Prefetch(x + i + 3 * quarter + soon);
    next_two<By>(a, x + i, b, x + i + quarter, low, high);
    next_two<By>(c, x + i + 2 * quarter, d, x + i + 3 * quarter, low, far);
  }
  const auto all = By::join(By::join(a, b), By::join(c, d));
  return By::finish(x, n, 4 * quarter, all, low, By::both(high, far));
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    auto* partials = queue.partials<typename Case::accumulator>();
    const auto* x = problem.input;
    in_shares(problem.n, tuning.workers, [&](std::size_t me, std::size_t i, std::size_t count) {
      partials[me].value = fold<Case>(x + i, count);
    });
    auto value = Op::identity();
    for (unsigned i = 0; i < tuning.workers; ++i) value = Op{}(value, partials[i].value);
    *problem.result = value;
  }
};

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::c09::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c09 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c09
#endif
