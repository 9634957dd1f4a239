// Reduces contiguous elements in Highway vectors, as the tuned rungs do; compiled once per Highway
// target, so without #pragma once.

#if defined(LADDER_CPU_FOLD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LADDER_CPU_FOLD_INL
#undef LADDER_CPU_FOLD_INL
#else
#define LADDER_CPU_FOLD_INL
#endif

#include <cstddef>

#include <hwy/cache_control.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::HWY_NAMESPACE {

/// Reads `pieces` pieces of n elements at once, by eight chains. `ahead`: prefetch distance in
/// bytes, if `prefetches`.
template <class Case, unsigned pieces, bool prefetches = false>
HWY_INLINE typename Case::accumulator fold(const typename Case::element* x, std::size_t n,
                                           std::size_t ahead) {
  using By = Folding<Case>;
  if constexpr (pieces == 1) {  // too few elements to fill the chains
    if (n < 8 * By::elements())
      return By::finish(x, n, 0, By::identity(), By::identity(), By::watch());
  }
  auto a = By::identity(), b = a, c = a, d = a, e = a, f = a, g = a, h = a, low = a, under = a;
  auto first = By::watch(), second = first, third = first, fourth = first;
  constexpr std::size_t chains = 8 / pieces;
  const std::size_t step = By::elements(), stride = chains * step;
  const std::size_t piece = n / pieces / stride * stride;
  const auto place = [&](std::size_t i, std::size_t which) HWY_ATTR {
    const auto* at = x + i + which % chains * step + which / chains * piece;
    if constexpr (prefetches) hwy::Prefetch(reinterpret_cast<const std::byte*>(at) + ahead);
    return at;
  };
  for (std::size_t i = 0; i < piece; i += stride) {
    next_two<By>(a, place(i, 0), b, place(i, 1), low, first);
    next_two<By>(c, place(i, 2), d, place(i, 3), low, second);
    next_two<By>(e, place(i, 4), f, place(i, 5), under, third);
    next_two<By>(g, place(i, 6), h, place(i, 7), under, fourth);
  }
  a = By::join(By::join(a, b), By::join(c, d));
  e = By::join(By::join(e, f), By::join(g, h));
  const auto all = By::both(By::both(first, second), By::both(third, fourth));
  return By::finish(x, n, pieces * piece, By::join(a, e), By::lower(low, under), all);
}

}  // namespace ladder::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
