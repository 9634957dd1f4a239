// c08 explicit_vectors: c07's four chains in explicit vectors, instead of the compiler's. Their
// width is that of the processor, selected at run time, so one executable fits all. It takes fewer
// instructions where compilers vectorize poorly: int8 and 16-bit floats, which are widened, and min
// and max with NaN. In memory c07 was already at the limit.

#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c08_explicit_vectors.cpp"
#include <hwy/foreach_target.h>

#include "cpu/folding-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c08::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::Folding;
using cpu::HWY_NAMESPACE::next_two;

template <class Case>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using By = Folding<Case>;
  auto a = By::identity(), b = a, c = a, d = a, low = a;
  auto high = By::watch(), far = high;
  const std::size_t step = By::elements(), quarter = n / 4 / step * step;
  for (std::size_t i = 0; i < quarter; i += step) {
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

}  // namespace ladder::cpu::c08::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c08 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c08
#endif
