// Folds floating-point minima and maxima in Highway vectors: `Folding<Case>` of folding-inl.hpp for
// these; compiled once per Highway target, so without #pragma once.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/problem.hpp"

#if defined(LADDER_CPU_EXTREMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LADDER_CPU_EXTREMES_INL
#undef LADDER_CPU_EXTREMES_INL
#else
#define LADDER_CPU_EXTREMES_INL
#endif

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::HWY_NAMESPACE {

/// Those of `lanes` with a NaN in neither vector: one ordered comparison on x86.
template <class D, class V = Vector<D>>
HWY_INLINE hn::Mask<D> still_ordered(D, hn::Mask<D> lanes, V a, V b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  using Lanes = hn::Mask<D>;
  constexpr bool single = sizeof(hn::TFromD<D>) == 4;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (single) return Lanes{_mm512_mask_cmp_ps_mask(lanes.raw, a.raw, b.raw, _CMP_ORD_Q)};
  if constexpr (!single) return Lanes{_mm512_mask_cmp_pd_mask(lanes.raw, a.raw, b.raw, _CMP_ORD_Q)};
#elif HWY_TARGET <= HWY_AVX2
  if constexpr (single) return hn::And(lanes, Lanes{_mm256_cmp_ps(a.raw, b.raw, _CMP_ORD_Q)});
  if constexpr (!single) return hn::And(lanes, Lanes{_mm256_cmp_pd(a.raw, b.raw, _CMP_ORD_Q)});
#else
  if constexpr (single) return hn::And(lanes, Lanes{_mm_cmpord_ps(a.raw, b.raw)});
  if constexpr (!single) return hn::And(lanes, Lanes{_mm_cmpord_pd(a.raw, b.raw)});
#endif
#else
  return hn::And(lanes, hn::And(hn::Eq(a, a), hn::Eq(b, b)));
#endif
}

/// float and double: the processor's minimum drops NaN and may return either zero. So `low`
/// combines the bits of all elements, whose sign distinguishes the zeros, and `high` has the lanes
/// without NaN. One comparison detects NaN in two vectors.
template <class Case>
struct Extreme {
  static constexpr Operation operation = Case::operation;
  static constexpr bool least = operation == Operation::min;
  using T = typename Case::element;
  using D = hn::ScalableTag<T>;
  using V = Vector<D>;
  using Ordered = hn::Mask<D>;

  static HWY_INLINE std::size_t elements() { return hn::Lanes(D()); }
  static HWY_INLINE V identity() { return hn::Set(D(), Case::function::identity()); }
  static HWY_INLINE Ordered watch() { return hn::Eq(identity(), identity()); }
  static HWY_INLINE Ordered both(Ordered a, Ordered b) { return hn::And(a, b); }
  static HWY_INLINE V lower(V a, V b) { return least ? hn::Or(a, b) : hn::And(a, b); }
  static HWY_INLINE V next(V chain, const T* x, V& low, Ordered& high) {
    const V v = hn::LoadU(D(), x);
    low = lower(low, v);
    high = hn::And(high, hn::Eq(v, v));
    return join(chain, v);
  }
  static HWY_INLINE void two(V& a, const T* at_a, V& b, const T* at_b, V& low, Ordered& high) {
    const V v = hn::LoadU(D(), at_a), w = hn::LoadU(D(), at_b);
    low = lower(low, lower(v, w));
    high = still_ordered(D(), high, v, w);
    a = join(a, v);
    b = join(b, w);
  }
  static HWY_INLINE V join(V a, V b) { return combined<operation>(a, b); }
  static HWY_INLINE T finish(const T* x, std::size_t n, std::size_t done, V chain, V low,
                             Ordered high) {
    chain = with_rest<Extreme>(x, n, done, chain, low, high);
    if (!hn::AllTrue(D(), high)) return std::numeric_limits<T>::quiet_NaN();
    if (const T value = extreme_of(chain); value != 0) return value;
    const hn::RebindToSigned<D> bits;
    const auto negative = hn::Lt(hn::BitCast(bits, low), hn::Zero(bits));
    const bool minus = least ? !hn::AllFalse(bits, negative) : hn::AllTrue(bits, negative);
    return minus ? -T{0} : T{0};
  }

 private:
  static HWY_INLINE T extreme_of(V v) {
    if constexpr (HWY_TARGET == HWY_EMU128) {  // starts from the largest finite number
      return across<typename Case::function>(D(), v);
    } else {
      return hn::GetLane(least ? hn::MinOfLanes(D(), v) : hn::MaxOfLanes(D(), v));
    }
  }
};

/// half and bfloat16 as 16-bit words. The largest signed word is the largest number, unless all are
/// negative; then the smallest signed word is. The largest unsigned word is the smallest number, if
/// any is negative. Words beyond an infinity are NaN.
template <class Case>
struct Extreme16 {
  static constexpr Operation operation = Case::operation;
  using T = typename Case::element;
  using D = hn::ScalableTag<std::int16_t>;
  using Unsigned = hn::RebindToUnsigned<D>;
  using V = Vector<D>;

  static HWY_INLINE std::size_t elements() { return hn::Lanes(D()); }
  static HWY_INLINE V identity() {
    return hn::Set(D(), std::bit_cast<std::int16_t>(Case::function::identity().bits));
  }
  static HWY_INLINE V watch() { return identity(); }
  static HWY_INLINE V both(V a, V b) {
    return hn::BitCast(D(), hn::Max(hn::BitCast(Unsigned(), a), hn::BitCast(Unsigned(), b)));
  }
  static HWY_INLINE V lower(V a, V b) { return hn::Min(a, b); }
  static HWY_INLINE V next(V chain, const T* x, V& low, V& high) {
    const V v = hn::LoadU(D(), reinterpret_cast<const std::int16_t*>(x));
    low = lower(low, v);
    high = both(high, v);
    return join(chain, v);
  }
  static HWY_INLINE V join(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE T finish(const T* x, std::size_t n, std::size_t done, V chain, V low, V high) {
    chain = with_rest<Extreme16>(x, n, done, chain, low, high);
    const std::int16_t largest = hn::GetLane(hn::MaxOfLanes(D(), chain));
    const std::int16_t smallest = hn::GetLane(hn::MinOfLanes(D(), low));
    const std::uint16_t unsigned_largest =
        hn::GetLane(hn::MaxOfLanes(Unsigned(), hn::BitCast(Unsigned(), high)));
    constexpr std::uint16_t infinity = std::numeric_limits<T>::infinity().bits, sign = 0x8000;
    if (largest > static_cast<std::int16_t>(infinity) || unsigned_largest > (infinity | sign)) {
      return std::numeric_limits<T>::quiet_NaN();
    }
    const auto as_element = [](auto bits) {
      return std::bit_cast<T>(static_cast<std::uint16_t>(bits));
    };
    if constexpr (operation == Operation::max) {
      return as_element(largest >= 0 ? largest : smallest);
    } else {
      return unsigned_largest >= sign ? as_element(unsigned_largest) : as_element(smallest);
    }
  }
};

}  // namespace ladder::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
