// Folds elements in Highway vectors; compiled once per Highway target, so without #pragma once.
// `Folding<Case>` implements a type and operation:
//   elements()                  elements per step
//   identity()                  initial vector of a chain
//   next(chain, x, low, high)   the chain with the elements from x on
//   join(chain, chain)
//   finish(x, n, done, chain, low, high)   adds elements [done, n) and returns one value
//   watch()                     initial `high`
//   both(high, high), lower(low, low)      combine two of them
//   two(chain, x, chain, x, low, high)     next for two chains, if that takes fewer instructions
// `low`, a vector, and `high` are shared by all chains: additional state of floating-point minima.
// SVE vectors are sizeless, so none is a member or in an array.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// One step of two chains.
template <class By, class T, class V, class H>
HWY_INLINE void next_two(V& a, const T* at_a, V& b, const T* at_b, V& low, H& high) {
  if constexpr (requires { By::two(a, at_a, b, at_b, low, high); }) {
    By::two(a, at_a, b, at_b, low, high);
  } else {
    a = By::next(a, at_a, low, high);
    b = By::next(b, at_b, low, high);
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

/// Elements of their accumulator's type; unsigned for integers that wrap.
template <class Case>
struct Same {
  static constexpr Operation operation = Case::operation;
  using T = typename Case::element;
  static constexpr bool wraps =
      std::is_integral_v<T> && (operation == Operation::sum || operation == Operation::product);
  using Lane =
      typename std::conditional_t<wraps, std::make_unsigned<T>, std::type_identity<T>>::type;
  using D = hn::ScalableTag<Lane>;
  using V = Vector<D>;

  static HWY_INLINE std::size_t elements() { return hn::Lanes(D()); }
  static HWY_INLINE V identity() {
    return hn::Set(D(), static_cast<Lane>(Case::function::identity()));
  }
  static HWY_INLINE V watch() { return identity(); }
  static HWY_INLINE V both(V, V high) { return high; }
  static HWY_INLINE V lower(V, V low) { return low; }
  static HWY_INLINE V next(V chain, const T* x, V&, V&) {
    return combined<operation>(chain, hn::LoadU(D(), reinterpret_cast<const Lane*>(x)));
  }
  static HWY_INLINE V join(V a, V b) { return combined<operation>(a, b); }
  static HWY_INLINE T finish(const T* x, std::size_t n, std::size_t done, V chain, V low, V high) {
    return across<typename Case::function>(D(), with_rest<Same>(x, n, done, chain, low, high));
  }
};

/// int8 summed in int32: one instruction adds eight adjacent unsigned bytes to a word. So each is
/// biased by 128, and the bias is subtracted at the end.
template <class Case>
struct ByteSum {
  static constexpr Operation operation = Case::operation;
  using T = typename Case::element;
  using D = hn::ScalableTag<std::uint8_t>;
  using Sums = hn::Repartition<std::uint64_t, D>;
  using V = Vector<Sums>;

  static HWY_INLINE std::size_t elements() { return hn::Lanes(D()); }
  static HWY_INLINE V identity() { return hn::Zero(Sums()); }
  static HWY_INLINE V watch() { return identity(); }
  static HWY_INLINE V both(V, V high) { return high; }
  static HWY_INLINE V lower(V, V low) { return low; }
  static HWY_INLINE V next(V chain, const T* x, V&, V&) {
    const auto bytes = hn::LoadU(D(), reinterpret_cast<const std::uint8_t*>(x));
    return hn::Add(chain, hn::SumsOf8(hn::Xor(bytes, hn::Set(D(), std::uint8_t{128}))));
  }
  static HWY_INLINE V join(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE std::int32_t finish(const T* x, std::size_t n, std::size_t done, V chain, V low,
                                        V high) {
    const auto all =
        hn::GetLane(hn::SumOfLanes(Sums(), with_rest<ByteSum>(x, n, done, chain, low, high)));
    const std::size_t taken = (n + elements() - 1) / elements() * elements();
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(all - std::uint64_t{128} * taken));
  }
};

/// Elements widened on load: a vector becomes several accumulator vectors, which are combined
/// before the chain.
template <class Case>
struct Widened {
  static constexpr Operation operation = Case::operation;
  using T = typename Case::element;
  using A = typename Case::accumulator;
  using Lane = std::conditional_t<std::is_integral_v<A>, std::uint32_t, float>;
  using D = hn::ScalableTag<Lane>;
  using Words = hn::RebindToUnsigned<D>;
  using V = Vector<D>;

  static HWY_INLINE std::size_t elements() { return hn::Lanes(D()) * (sizeof(A) / sizeof(T)); }
  static HWY_INLINE V identity() {
    return hn::Set(D(), static_cast<Lane>(Case::function::identity()));
  }
  static HWY_INLINE V watch() { return identity(); }
  static HWY_INLINE V both(V, V high) { return high; }
  static HWY_INLINE V lower(V, V low) { return low; }
  static HWY_INLINE V next(V chain, const T* x, V&, V&) {
    return combined<operation>(chain, loaded(x));
  }
  static HWY_INLINE V join(V a, V b) { return combined<operation>(a, b); }
  static HWY_INLINE A finish(const T* x, std::size_t n, std::size_t done, V chain, V low, V high) {
    return across<typename Case::function>(D(), with_rest<Widened>(x, n, done, chain, low, high));
  }

 private:
  static HWY_INLINE V loaded(const T* x) {
    const std::size_t lanes = hn::Lanes(D());
    if constexpr (std::is_integral_v<T>) {
      const auto part = [&](std::size_t k) HWY_ATTR {
        const hn::Rebind<std::int8_t, D> bytes;
        const hn::RebindToSigned<D> wide;
        return hn::BitCast(D(), hn::PromoteTo(wide, hn::LoadU(bytes, x + k * lanes)));
      };
      return join(join(part(0), part(1)), join(part(2), part(3)));
    } else if constexpr (std::is_same_v<T, Bfloat16>) {
      const auto pairs = words(x);
      return join(hn::BitCast(D(), hn::ShiftLeft<16>(pairs)),
                  hn::BitCast(D(), hn::And(pairs, hn::Set(Words(), 0xFFFF0000U))));
    } else if constexpr (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2) {
      const auto pairs = words(x);
      return join(of_half(D(), hn::And(pairs, hn::Set(Words(), 0xFFFFU))),
                  of_half(D(), hn::ShiftRight<16>(pairs)));
    } else {
      const hn::Rebind<hwy::float16_t, D> halves;
      const auto* at = reinterpret_cast<const hwy::float16_t*>(x);
      return join(hn::PromoteTo(D(), hn::LoadU(halves, at)),
                  hn::PromoteTo(D(), hn::LoadU(halves, at + lanes)));
    }
  }
  /// Two 16-bit elements per word.
  static HWY_INLINE Vector<Words> words(const T* x) {
    const hn::Repartition<std::uint16_t, D> halves;
    return hn::BitCast(Words(), hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(x)));
  }
};

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

template <class Case>
constexpr auto folding() {
  using T = typename Case::element;
  constexpr bool extreme = Case::operation == Operation::min || Case::operation == Operation::max;
  if constexpr (extreme && is_floating<T>) {
    return std::type_identity<std::conditional_t<sizeof(T) == 2, Extreme16<Case>, Extreme<Case>>>{};
  } else if constexpr (sizeof(T) == sizeof(typename Case::accumulator)) {
    return std::type_identity<Same<Case>>{};
  } else if constexpr (sizeof(T) == 1 && Case::operation == Operation::sum) {
    return std::type_identity<ByteSum<Case>>{};
  } else {
    return std::type_identity<Widened<Case>>{};
  }
}
template <class Case>
using Folding = typename decltype(folding<Case>())::type;

}  // namespace ladder::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
