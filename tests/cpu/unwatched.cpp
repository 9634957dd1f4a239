// What c13's watch for NaN and for the zeros' signs costs: its loop by one thread with the
// processor's minimum and maximum alone, as a library that leaves both open may have it. Wrong for
// a NaN, and for zeros of both signs; not for the data of a measurement.

#include <cstddef>

#include "cpu/choice.hpp"
#include "cpu/queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/cpu/unwatched.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::unwatched::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace cpu::HWY_NAMESPACE;

template <class Case, unsigned pieces>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using T = typename Case::element;
  const hn::ScalableTag<T> d;
  constexpr Operation operation = Case::operation;
  auto a = hn::Set(d, Case::function::identity()), b = a, c = a, e = a, f = a, g = a, h = a, k = a;
  constexpr std::size_t chains = 8 / pieces;
  const std::size_t step = hn::Lanes(d), stride = chains * step;
  const std::size_t piece = n / pieces / stride * stride;
  const auto next = [&](auto chain, std::size_t i, std::size_t which) HWY_ATTR {
    return combined<operation>(
        chain, hn::LoadU(d, x + i + which % chains * step + which / chains * piece));
  };
  for (std::size_t i = 0; i < piece; i += stride) {
    a = next(a, i, 0);
    b = next(b, i, 1);
    c = next(c, i, 2);
    e = next(e, i, 3);
    f = next(f, i, 4);
    g = next(g, i, 5);
    h = next(h, i, 6);
    k = next(k, i, 7);
  }
  a = combined<operation>(combined<operation>(a, b), combined<operation>(c, e));
  f = combined<operation>(combined<operation>(f, g), combined<operation>(h, k));
  a = combined<operation>(a, f);
  T value = hn::GetLane(operation == Operation::min ? hn::MinOfLanes(d, a) : hn::MaxOfLanes(d, a));
  for (std::size_t i = pieces * piece; i < n; ++i) value = typename Case::function{}(value, x[i]);
  return value;
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const auto* x = problem.input;
    const std::size_t n = problem.n;
    const HostChoice way =
        choice(queue.host().tuned(), Case::type, Case::operation, n * sizeof(*x), 1);
    *problem.result = way.pieces == 1   ? fold<Case, 1>(x, n)
                      : way.pieces == 2 ? fold<Case, 2>(x, n)
                                        : fold<Case, 4>(x, n);
  }
};

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Each<Operation::min, Operation::max>::Over<Type::f32, Type::f64>{},
                             type, operation);
}

}  // namespace ladder::cpu::unwatched::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::unwatched {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::unwatched
#endif
