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

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/problem.hpp"

#if defined(LADDER_CPU_FOLDING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LADDER_CPU_FOLDING_INL
#undef LADDER_CPU_FOLDING_INL
#else
#define LADDER_CPU_FOLDING_INL
#endif

#include <hwy/cache_control.h>

#include "cpu/extremes-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::HWY_NAMESPACE {

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
