// Reduces short rows in Highway vectors, a vector of results at once; compiled once per Highway
// target, so without #pragma once.

#if defined(LADDER_CPU_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LADDER_CPU_SHORT_ROWS_INL
#undef LADDER_CPU_SHORT_ROWS_INL
#else
#define LADDER_CPU_SHORT_ROWS_INL
#endif

#include <cstddef>

#include <hwy/cache_control.h>

#include "cpu/folding-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::HWY_NAMESPACE {

/// Prefetch distance in bytes.
constexpr std::size_t ahead_of_short_rows = 4096;

template <class T>
HWY_INLINE void prefetch_short_row(const T* row, std::size_t length) {
  for (std::size_t i = 0; i < length; i += 64 / sizeof(T))
    hwy::Prefetch(row + i + ahead_of_short_rows / sizeof(T));
}

#if !HWY_HAVE_SCALABLE

/// Combines the lanes of as many vectors as a block of 16 bytes has lanes. Lane k of each block:
/// those of the k-th vector from x on in that block.
template <class By, std::size_t apart = 1, class D, class T>
HWY_INLINE Vector<D> across_in_blocks(D d, const T* x) {
  if constexpr (apart * sizeof(T) == 16) {
    return hn::Load(d, x);
  } else {
    const auto a = across_in_blocks<By, 2 * apart>(d, x);
    const auto b = across_in_blocks<By, 2 * apart>(d, x + apart * hn::Lanes(d));
    return By::join(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  }
}

/// Combines the lanes of as many vectors as a vector has lanes. Lane k of the result: those of the
/// k-th vector from x on. Takes three instructions for each of them.
template <class By, class D, class T>
HWY_INLINE Vector<D> across_each(D d, const T* x) {
  constexpr std::size_t lanes = hn::MaxLanes(D()), block = 16 / sizeof(T);
  const auto half = [&](std::size_t k, std::size_t m) HWY_ATTR {
    const auto a = across_in_blocks<By>(d, x + k * block * lanes);
    const auto b = across_in_blocks<By>(d, x + m * block * lanes);
    return By::join(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
  };
  if constexpr (lanes == block) {
    return across_in_blocks<By>(d, x);
  } else if constexpr (lanes == 2 * block) {
    return half(0, 1);
  } else {
    static_assert(lanes == 4 * block);
    const auto even = half(0, 2), odd = half(1, 3);
    return By::join(hn::OddEvenBlocks(odd, even),
                    hn::SwapAdjacentBlocks(hn::OddEvenBlocks(even, odd)));
  }
}

/// Reduces rows of less than eight vectors in two streams, except for the last rows, which fill no
/// vector of results. Returns their number.
template <class Case, bool past_caches>
std::size_t fold_short_rows(const typename Case::element* x, const Groups& rows, std::size_t count,
                            typename Case::accumulator* result) {
  using By = Folding<Case>;
  using Lane = typename By::Lane;
  const typename By::D d;
  const std::size_t lanes = hn::Lanes(d), length = rows.length, pitch = rows.pitch;
  const auto fold_from = [&](std::size_t g) HWY_ATTR {
    HWY_ALIGN Lane chains[hn::MaxLanes(d) * hn::MaxLanes(d)];
    for (std::size_t k = 0; k < lanes; ++k) {
      const auto* row = x + (g + k) * pitch;
      prefetch_short_row(row, length);
      auto low = By::identity();
      auto high = By::watch();
      const auto chain = with_rest<By>(row, length, 0, By::identity(), low, high);
      hn::Store(chain, d, chains + k * lanes);
    }
    const auto values = across_each<By>(d, chains);
    auto* to = reinterpret_cast<Lane*>(result + g);
    if constexpr (past_caches) hn::Stream(values, d, to);
    if constexpr (!past_caches) hn::StoreU(values, d, to);
  };
  const std::size_t half = count / 2 / lanes * lanes;
  for (std::size_t g = 0; g < half; g += lanes) {
    fold_from(g);
    fold_from(half + g);
  }
  if (count < 2 * half + lanes) return 2 * half;
  fold_from(2 * half);
  return 2 * half + lanes;
}

#endif

}  // namespace ladder::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
