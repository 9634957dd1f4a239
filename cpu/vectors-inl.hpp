// Arithmetic on Highway vectors, and loads of all types and of the last elements; compiled once per
// Highway target, so without #pragma once.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/problem.hpp"

#if defined(LADDER_CPU_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LADDER_CPU_VECTORS_INL
#undef LADDER_CPU_VECTORS_INL
#else
#define LADDER_CPU_VECTORS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Vector = hn::Vec<D>;

/// For vectors or numbers; SVE vectors have no operators + and -.
template <class V>
HWY_INLINE V plus(V a, V b) {
  if constexpr (std::is_arithmetic_v<V>) return a + b;
  if constexpr (!std::is_arithmetic_v<V>) return hn::Add(a, b);
}
template <class V>
HWY_INLINE V minus(V a, V b) {
  if constexpr (std::is_arithmetic_v<V>) return a - b;
  if constexpr (!std::is_arithmetic_v<V>) return hn::Sub(a, b);
}

template <Operation operation, class V>
HWY_INLINE V combined(V a, V b) {
  if constexpr (operation == Operation::sum) return hn::Add(a, b);
  if constexpr (operation == Operation::product) return hn::Mul(a, b);
  if constexpr (operation == Operation::min) return hn::Min(a, b);
  if constexpr (operation == Operation::max) return hn::Max(a, b);
  if constexpr (operation == Operation::bit_and) return hn::And(a, b);
  if constexpr (operation == Operation::bit_or) return hn::Or(a, b);
  if constexpr (operation == Operation::bit_xor) return hn::Xor(a, b);
}

/// Combines the lanes of a vector into one value of the accumulator's type A.
template <class Op, class D, class A = typename Op::value>
HWY_INLINE A across(D d, Vector<D> v) {
  using Lane = hn::TFromD<D>;
  // Not for integers, which wrap: GCC adds the lanes of 64-byte vectors as signed.
  if constexpr (Op::kind == Operation::sum && !std::is_integral_v<A>) {
    return static_cast<A>(hn::GetLane(hn::SumOfLanes(d, v)));
  } else {
#if !HWY_HAVE_SCALABLE
    if constexpr (hn::MaxLanes(D()) * sizeof(Lane) > 16) {  // lane by lane takes 40 ns for 64 int8
      const hn::Half<D> half;
      return across<Op>(half, combined<Op::kind>(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
#endif
    HWY_ALIGN Lane lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    A value = static_cast<A>(lanes[0]);
    for (std::size_t i = 1; i < hn::Lanes(d); ++i) value = Op{}(value, static_cast<A>(lanes[i]));
    return value;
  }
}

/// The vector at x; zeros beyond the `left` remaining elements.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE Vector<D> whole_or_rest(D d, const T* x, std::size_t left) {
  if (left >= hn::Lanes(d)) return hn::LoadU(d, x);
  HWY_ALIGN T filled[hn::MaxLanes(D())] = {};
  std::copy_n(x, left, filled);
  return hn::Load(d, filled);
}

/// Converts the lower half of each word as Half does (common/half.hpp). Without a hardware
/// instruction, Highway's own conversion mishandles infinities and NaN.
template <class D>
HWY_INLINE Vector<D> of_half(D d, Vector<hn::RebindToUnsigned<D>> bits) {
  const hn::RebindToUnsigned<D> words;
  const hn::RebindToSigned<D> wide;
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(words, 0x8000U)));
  const auto rest = hn::ShiftLeft<13>(hn::And(bits, hn::Set(words, 0x7FFFU)));
  const auto scaled = hn::BitCast(wide, hn::Mul(hn::BitCast(d, rest), hn::Set(d, 0x1p112F)));
  const auto special = hn::BitCast(wide, hn::Or(rest, hn::Set(words, 0x7F800000U)));
  const auto finite = hn::Lt(hn::BitCast(wide, rest), hn::Set(wide, 0xF800000));
  return hn::BitCast(d, hn::Or(hn::BitCast(words, hn::IfThenElse(finite, scaled, special)), sign));
}

/// Loads one floating-point element per lane of d from x on, in order.
template <class D, class T>
HWY_INLINE Vector<D> widened(D d, const T* x) {
  if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
    return hn::LoadU(d, x);
  } else if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::PromoteTo(d, widened(hn::Rebind<float, D>(), x));
  } else if constexpr (std::is_same_v<T, Bfloat16> || (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2)) {
    const hn::Rebind<std::uint16_t, D> halves;
    const auto bits = hn::PromoteTo(hn::RebindToUnsigned<D>(),
                                    hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(x)));
    if constexpr (std::is_same_v<T, Bfloat16>) return hn::BitCast(d, hn::ShiftLeft<16>(bits));
    if constexpr (std::is_same_v<T, Half>) return of_half(d, bits);
  } else {
    const hn::Rebind<hwy::float16_t, D> halves;
    return hn::PromoteTo(d, hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(x)));
  }
}

/// Pads the last n elements to one step with the identity; `all` elements precede x + n. Reads only
/// the input. Stores a whole vector, because a load after element-wise stores would stall.
template <class By, class T>
HWY_INLINE void fill_up(const T* x, std::size_t n, std::size_t all, T* filled) {
  using Lane = typename std::conditional_t<std::is_arithmetic_v<T>, std::type_identity<T>,
                                           std::type_identity<std::uint16_t>>::type;
  const hn::ScalableTag<Lane> d;
  const std::size_t step = By::elements();  // the lanes of d
  constexpr T nothing = Function<By::operation, T>::identity();
  const auto identity = hn::Set(d, std::bit_cast<Lane>(nothing));
  const auto* from = reinterpret_cast<const Lane*>(x);
  auto* to = reinterpret_cast<Lane*>(filled);
  if (all >= step) {  // loads preceding elements, then masks them
    const auto before = hn::FirstN(d, step - n);
    hn::Store(hn::IfThenElse(before, identity, hn::LoadU(d, from - (step - n))), d, to);
    return;
  }
#if HWY_MEM_OPS_MIGHT_FAULT
  std::fill_n(filled, step, nothing);
  std::copy_n(x, n, filled);
#else
  const auto given = hn::FirstN(d, n);
  hn::Store(hn::IfThenElse(given, hn::MaskedLoad(given, d, from), identity), d, to);
#endif
}

/// Adds the elements [done, n) to the chain.
template <class By, class T, class V, class H>
HWY_INLINE V with_rest(const T* x, std::size_t n, std::size_t done, V chain, V& low, H& high) {
  const std::size_t step = By::elements();
  for (; done + step <= n; done += step) chain = By::next(chain, x + done, low, high);
  if (done == n) return chain;
  HWY_ALIGN T filled[hn::MaxLanes(hn::ScalableTag<std::uint8_t>()) / sizeof(T)];
  fill_up<By>(x + done, n - done, n, filled);
  return By::next(chain, filled, low, high);
}

}  // namespace ladder::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
