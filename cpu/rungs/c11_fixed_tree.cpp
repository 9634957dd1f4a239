// c11 fixed_tree: c08's vectors in an order of operations that depends on n alone
// (common/fixed_tree.hpp). The sum has the same bits for any number of threads, on any processor,
// in every run. A row of a chunk's lanes has 512 bytes: eight chains of the widest vectors, or
// sixteen of 32 bytes, the number of AVX2's registers. Narrower or widened vectors take several
// passes over the chunk, which is then in cache. Each thread reads whole subtrees as one stream,
// where c08 has four, and prefetches the next chunk evenly over these passes. The order costs
// registers, and a tree over the lanes every 16 rows.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <hwy/cache_control.h>

#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"
#include "cpu/cpu_subtrees.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/c11_fixed_tree.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::c11::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::combined;
using cpu::HWY_NAMESPACE::widened;

/// Reduces the n elements of one chunk in eight chains, each a part of every row, or in sixteen.
template <class Case, class A = typename Case::accumulator>
HWY_INLINE A of_chunk(const typename Case::element* x, std::size_t n) {
  using Op = typename Case::function;
  constexpr std::size_t lanes = fixed_tree<A>.lanes, part = lanes / 8;
  constexpr auto join = [](auto p, auto q) HWY_ATTR { return combined<Op::kind>(p, q); };
  const hn::CappedTag<A, part> tag;
  constexpr bool twice = !HWY_HAVE_SCALABLE && std::is_same_v<A, typename Case::element> &&
                         2 * hn::MaxLanes(hn::CappedTag<A, part>()) == part;
  const std::size_t rows = n / lanes, rest = n % lanes, step = (twice ? 2 : 1) * hn::Lanes(tag);
  typename Case::element last[lanes];  // the incomplete row, padded with the identity
  if (rest != 0) {
    std::fill_n(last, lanes, typename Case::element(Op::identity()));
    std::copy_n(x + rows * lanes, rest, last);
  }
  constexpr std::size_t line = 64 / sizeof(*x);
  const auto* next = x + fixed_tree<A>.chunk();
  const std::size_t lines = lanes / line * step / part;  // per row
  HWY_ALIGN A left[part];
  const auto take = [&](const typename Case::element* row, auto& a, auto& b, auto& c, auto& d,
                        auto& e, auto& f, auto& g, auto& h) HWY_ATTR {
    a = join(a, widened(tag, row));
    b = join(b, widened(tag, row + part));
    c = join(c, widened(tag, row + 2 * part));
    d = join(d, widened(tag, row + 3 * part));
    e = join(e, widened(tag, row + 4 * part));
    f = join(f, widened(tag, row + 5 * part));
    g = join(g, widened(tag, row + 6 * part));
    h = join(h, widened(tag, row + 7 * part));
  };
  for (std::size_t first = 0; first < part; first += step) {
    auto a = hn::Set(tag, Op::identity()), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    auto i = a, j = a, k = a, l = a, m = a, o = a, p = a, q = a;  // for `twice`
    const auto take_all = [&](const typename Case::element* row) HWY_ATTR {
      take(row, a, b, c, d, e, f, g, h);
      if constexpr (twice) take(row + hn::Lanes(tag), i, j, k, l, m, o, p, q);
    };
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t at = 0; at < lines; ++at, next += line) hwy::Prefetch(next);
      take_all(x + row * lanes + first);
    }
    if (rest != 0) take_all(last + first);
    const auto tree = [&](auto s, auto t, auto u, auto v)
                          HWY_ATTR { return join(join(s, u), join(t, v)); };
    hn::Store(tree(join(a, e), join(b, f), join(c, g), join(d, h)), tag, left + first);
    if constexpr (twice) {
      hn::Store(tree(join(i, m), join(j, o), join(k, p), join(l, q)), tag,
                left + first + hn::Lanes(tag));
    }
  }
  for (std::size_t half = part / 2; half > 0; half /= 2) {
    for (std::size_t at = 0; at < half; ++at) left[at] = Op{}(left[at], left[at + half]);
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
