// c08's vectors in an order of operations that depends on n alone (common/fixed_tree.hpp): the sum
// has the same bits by any number of threads, on any processor, in every run. A row of a chunk's
// lanes is 512 bytes, eight vectors of the widest; narrower ones go over the chunk, which is in
// cache then, several times. Threads take whole subtrees, each one stream of loads where c08 has
// four, so the next chunk is prefetched, the same part of it in each step of each time over this
// one: memory is never left waiting. What the order costs is in registers: the same loads and
// operations, and a tree over the lanes every 16 rows.

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/cache_control.h>

#include "cpu/queue.hpp"
#include "cpu/shares.hpp"
#include "cpu/subtrees.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c11_fixed_tree.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c11::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::combined;
using cpu::HWY_NAMESPACE::widened;

/// The n elements of one chunk, by eight chains, each a part of every row.
template <class Case, class A = typename Case::accumulator>
HWY_INLINE A of_chunk(const typename Case::element* x, std::size_t n) {
  using Op = typename Case::function;
  constexpr std::size_t lanes = fixed_tree<A>.lanes, part = lanes / 8;
  constexpr auto join = [](auto p, auto q) HWY_ATTR { return combined<Op::kind>(p, q); };
  const hn::CappedTag<A, part> tag;
  const std::size_t rows = n / lanes, rest = n % lanes;
  typename Case::element last[lanes];  // the row that is not whole, filled up with the identity
  if (rest != 0) {
    std::fill_n(last, lanes, typename Case::element(Op::identity()));
    std::copy_n(x + rows * lanes, rest, last);
  }
  constexpr std::size_t line = 64 / sizeof(*x);
  const auto* next = x + fixed_tree<A>.chunk();
  const std::size_t lines = lanes / line * hn::Lanes(tag) / part;  // in each step
  HWY_ALIGN A left[part];
  for (std::size_t first = 0; first < part; first += hn::Lanes(tag)) {
    auto a = hn::Set(tag, Op::identity()), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    const auto take = [&](const typename Case::element* row) HWY_ATTR {
      a = join(a, widened(tag, row));
      b = join(b, widened(tag, row + part));
      c = join(c, widened(tag, row + 2 * part));
      d = join(d, widened(tag, row + 3 * part));
      e = join(e, widened(tag, row + 4 * part));
      f = join(f, widened(tag, row + 5 * part));
      g = join(g, widened(tag, row + 6 * part));
      h = join(h, widened(tag, row + 7 * part));
    };
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t l = 0; l < lines; ++l, next += line) hwy::Prefetch(next);
      take(x + row * lanes + first);
    }
    if (rest != 0) take(last + first);
    a = join(join(a, e), join(c, g));
    b = join(join(b, f), join(d, h));
    hn::Store(join(a, b), tag, left + first);
  }
  for (std::size_t half = part / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) left[l] = Op{}(left[l], left[l + half]);
  }
  return left[0];
}

template <class Case>
typename Case::accumulator of_subtree(const typename Case::element* x, std::size_t n) {
  constexpr std::size_t chunk = fixed_tree<typename Case::accumulator>.chunk();
  Joined<typename Case::function> all;
  for (std::size_t i = 0; i < n; i += chunk) all.add(of_chunk<Case>(x + i, std::min(chunk, n - i)));
  return all.value();
}

template <class Case>
struct Launch {
  using A = typename Case::accumulator;
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Subtrees subtrees(fixed_tree<A>, problem.n, tuning.workers);
    A* values = queue.subtrees<A>();
    in_shares(subtrees.count, tuning.workers, [&](std::size_t, std::size_t i, std::size_t count) {
      for (const std::size_t end = i + count; i < end; ++i) {
        const std::size_t first = i * subtrees.elements;
        values[i] =
            of_subtree<Case>(problem.input + first, std::min(subtrees.elements, problem.n - first));
      }
    });
    Joined<typename Case::function> all;
    for (std::size_t i = 0; i < subtrees.count; ++i) all.add(values[i]);
    const A value = all.value();
    *problem.result = std::isnan(value) ? std::numeric_limits<A>::quiet_NaN() : value;
  }
};

using Rounded =
    Each<Operation::sum, Operation::product>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Rounded{}, type, operation);
}

}  // namespace ladder::cpu::c11::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::c11 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::c11
#endif
