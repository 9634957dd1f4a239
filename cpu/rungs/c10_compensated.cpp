// c10 compensated: c09 with a second sum of the rounding errors (Neumaier's summation with Knuth's
// branch-free two-sum), in all lanes and chains and across threads. The result is that of twice the
// precision, rounded once. Seven additions replace one, three of them on multiply units. In memory
// this is hidden if loads are prefetched, because the added operations limit the processor's
// lookahead.

#include <cmath>

#include <hwy/cache_control.h>

#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c10_compensated.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c10::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::minus;
using cpu::HWY_NAMESPACE::plus;
using cpu::HWY_NAMESPACE::whole_or_rest;

/// Prefetch distance in bytes.
constexpr std::size_t ahead = 2048;

template <class T>
struct Sum {
  T sum, error;
};

/// a - b on a multiply unit: 1 * b is exact.
template <class V>
HWY_INLINE V minus_too(V a, V b) {
  if constexpr (!std::is_arithmetic_v<V> && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) {
    return hn::NegMulAdd(hn::Set(hn::DFromV<V>(), 1), b, a);
  } else {
    return minus(a, b);
  }
}

/// Adds x to `sum`, rounded, and the rounding error to `error`.
template <class V>
HWY_INLINE void add(V x, V& sum, V& error) {
  const V next = plus(sum, x), of_x = minus(next, sum), of_sum = minus_too(next, of_x);
  error = plus(error, plus(minus_too(sum, of_sum), minus_too(x, of_x)));
  sum = next;
}

template <class T>
Sum<T> fold(const T* x, std::size_t n) {
  const hn::ScalableTag<T> lanes;
  auto a = hn::Zero(lanes), b = a, c = a, d = a, a_error = a, b_error = a, c_error = a, d_error = a;
  const std::size_t step = hn::Lanes(lanes), quarter = n / 4 / step * step;
  constexpr std::size_t soon = ahead / sizeof(*x);
  for (std::size_t i = 0; i < quarter; i += step) {
    hwy::Prefetch(x + i + soon);
    hwy::Prefetch(x + i + quarter + soon);
    hwy::Prefetch(x + i + 2 * quarter + soon);
    hwy::Prefetch(x + i + 3 * quarter + soon);
    add(hn::LoadU(lanes, x + i), a, a_error);
    add(hn::LoadU(lanes, x + i + quarter), b, b_error);
    add(hn::LoadU(lanes, x + i + 2 * quarter), c, c_error);
    add(hn::LoadU(lanes, x + i + 3 * quarter), d, d_error);
  }
  for (std::size_t i = 4 * quarter; i < n; i += step) {
    add(whole_or_rest(lanes, x + i, n - i), a, a_error);
  }
  add(b, a, a_error);
  add(c, a, a_error);
  add(d, a, a_error);
  HWY_ALIGN T sums[hn::MaxLanes(lanes)], errors[hn::MaxLanes(lanes)];
  hn::Store(a, lanes, sums);
  hn::Store(plus(plus(a_error, b_error), plus(c_error, d_error)), lanes, errors);
  Sum<T> all{sums[0], errors[0]};
  for (std::size_t i = 1; i < step; ++i) {
    add(sums[i], all.sum, all.error);
    all.error += errors[i];
  }
  return all;
}

template <class Case>
struct Launch {
  using T = typename Case::element;
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    auto* partials = queue.partials<Sum<T>>();
    const auto* x = problem.input;
    in_shares(problem.n, tuning.workers, [&](std::size_t me, std::size_t i, std::size_t count) {
      partials[me].value = fold(x + i, count);
    });
    Sum<T> all{0, 0};
    for (unsigned i = 0; i < tuning.workers; ++i) {
      add(partials[i].value.sum, all.sum, all.error);
      all.error += partials[i].value.error;
    }
    // An infinite sum has no error term: infinity - infinity is NaN.
    *problem.result = std::isfinite(all.sum) ? all.sum + all.error : all.sum;
  }
};

using Sums = decltype(Cases<Case<Type::f32, Operation::sum>>{} +
                      Cases<Case<Type::f64, Operation::sum>>{});

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Sums{}, type, operation);
}

}  // namespace ladder::cpu::c10::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c10 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c10
#endif
