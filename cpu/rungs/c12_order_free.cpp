// c12 order_free: the exact sum, rounded once, independent of the order of elements, lanes and
// threads. A block's largest element determines how many bits of each element double can add
// exactly. An addition and two subtractions each split every element in two parts (as in Demmel and
// Nguyen, "Parallel reproducible summation", 2015). The sums of the parts go to an integer as wide
// as all doubles. Each block is assumed to have no larger element than the blocks before, so that
// one read suffices; otherwise it is split again. Blocks with infinities, NaN or elements that
// exceed two parts are added element by element.

#include <algorithm>
#include <bit>
#include <cstdint>

#include <hwy/cache_control.h>

#include "common/exact_sum.hpp"
#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c12_order_free.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c12::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::minus;
using cpu::HWY_NAMESPACE::plus;
using cpu::HWY_NAMESPACE::widened;

/// Elements per block, which fits the L1 cache for a second read.
constexpr std::size_t block = 2048;
/// Prefetch distance in bytes.
constexpr std::size_t ahead = 2048;

/// Adding to this value rounds to a multiple of 2^place, for sums below 2^(place + 51).
HWY_INLINE double cut_at(int place) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(place + 52 + 1023) << 52 |
                               std::uint64_t{1} << 51);
}

/// Exponent of the smallest power of two above a magnitude; 1025 for infinity.
HWY_INLINE int exponent_past(double magnitude) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1022;
}

/// Adds the n elements of a block to `sum` and returns true, if all are below 2^past and equal the
/// sum of their two parts. Otherwise only returns false. Sets `past` to the block's exponent. `n`
/// must be a multiple of four vectors.
template <class T>
HWY_INLINE bool add_parts(const T* x, std::size_t n, int& past, ExactSum& sum) {
  // Bounds per block: the first parts sum to less than 2^(past + 11). The second ones, at most half
  // of 2^first each, sum to less than 2^(first + 11). Both are below 2^53 times their place. Per
  // lane of at most 512 elements: 2^(past + 9) and 2^(first + 9).
  const int first = std::max(past - 41, -1074), second = std::max(first - 42, -1074);
  const hn::ScalableTag<Computed<T>> elements;
  const hn::ScalableTag<double> lanes;
  const std::size_t step = hn::Lanes(lanes);
  const auto high = hn::Set(lanes, cut_at(first)), low = hn::Set(lanes, cut_at(second));
  auto a = high, b = high, c = high, d = high, a_low = low, b_low = low, c_low = low, d_low = low;
  auto left = hn::Zero(lanes);
  auto largest = hn::Zero(elements);
  const auto part = [](auto& total, auto v) HWY_ATTR {  // returns the remainder of v
    const auto next = plus(total, v);
    v = minus(v, minus(next, total));
    total = next;
    return v;
  };
  for (std::size_t i = 0; i < n; i += 4 * step) {
    for (std::size_t byte = 0; byte < 4 * step * sizeof(T); byte += 64) {
      hwy::Prefetch(x + i + (ahead + byte) / sizeof(T));
    }
    left = hn::Or(left, part(a_low, part(a, widened(lanes, x + i))));
    left = hn::Or(left, part(b_low, part(b, widened(lanes, x + i + step))));
    left = hn::Or(left, part(c_low, part(c, widened(lanes, x + i + 2 * step))));
    left = hn::Or(left, part(d_low, part(d, widened(lanes, x + i + 3 * step))));
    for (std::size_t j = i; j < i + 4 * step; j += hn::Lanes(elements)) {
      largest = hn::Max(largest, hn::Abs(widened(elements, x + j)));
    }
  }
  const int expected = past;
  past = exponent_past(static_cast<double>(hn::GetLane(hn::MaxOfLanes(elements, largest))));
  const bool all = hn::AllTrue(lanes, hn::Eq(left, hn::Zero(lanes)));  // NaN compares unequal
  if (past > expected || !all) return false;
  a = plus(plus(minus(a, high), minus(b, high)), plus(minus(c, high), minus(d, high)));
  a_low =
      plus(plus(minus(a_low, low), minus(b_low, low)), plus(minus(c_low, low), minus(d_low, low)));
  sum.add(hn::GetLane(hn::SumOfLanes(lanes, a)));
  sum.add(hn::GetLane(hn::SumOfLanes(lanes, a_low)));
  return true;
}

template <class T>
void add_all(const T* x, std::size_t n, ExactSum& sum) {
  constexpr int most = 1012;  // cut_at overflows beyond this
  const std::size_t four = 4 * hn::Lanes(hn::ScalableTag<double>());
  int expected = -1022;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t count = std::min(block, n - i);
    std::size_t done = count / four * four;
    int past = expected;
    const bool at_once = add_parts(x + i, done, past, sum);
    // If a NaN hid the largest element, the second attempt fails too.
    expected = at_once ? std::max(past, expected) : std::clamp(past, -1022, most);
    if (!at_once && (past > most || !add_parts(x + i, done, past, sum))) done = 0;
    for (; done < count; ++done) sum.add(static_cast<double>(x[i + done]));
  }
}

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    ExactSum all;
    in_shares(problem.n, tuning.workers, [&](std::size_t, std::size_t first, std::size_t count) {
      ExactSum mine;
      add_all(problem.input + first, count, mine);
#pragma omp critical(c12)
      all += mine;
    });
    *problem.result = all.rounded<typename Case::accumulator>();
  }
};

using Sums = Each<Operation::sum>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Sums{}, type, operation);
}

}  // namespace ladder::cpu::c12::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c12 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c12
#endif
