#pragma once

// Operations. A caller may pass any associative and commutative function object that a kernel can
// call with two accumulators.

#include <limits>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

/// True if Minimum and Maximum of A follow IEEE 754-2019: NaN propagates, -0 < +0. Derived from
/// std::numeric_limits and Kokkos's types; specialize it for other classes of numbers:
/// `template <> inline constexpr bool ladder::kokkos::is_floating<MyHalf> = true;`
template <class A>
inline constexpr bool is_floating = (std::numeric_limits<A>::is_specialized &&
                                     !std::numeric_limits<A>::is_integer) ||
                                    std::is_same_v<A, Kokkos::Experimental::half_t> ||
                                    std::is_same_v<A, Kokkos::Experimental::bhalf_t>;

struct Sum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(const A& a, const A& b) const {
    if constexpr (std::is_same_v<A, bool>) {
      return a || b;
    } else if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

namespace reduce_detail {

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
inline constexpr bool finite_math = true;
#else
inline constexpr bool finite_math = false;
#endif

/// IEEE 754-2019 minimum or maximum: NaN propagates, -0 < +0.
template <bool greater, class A>
KOKKOS_FUNCTION constexpr A extreme(A a, A b) {
  static_assert(is_floating<A> || !std::is_class_v<A> || !std::is_convertible_v<A, float> ||
                    std::numeric_limits<A>::is_specialized,
                "a class of numbers: specialize is_floating<A>, or NaN and -0 would be lost");
  static_assert(!is_floating<A> || !finite_math,
                "built without NaN and infinities: leave out -ffast-math and -ffinite-math-only");
  if constexpr (std::is_floating_point_v<A>) {
    if (a != a || b != b) return a + b;
    if (a == b) return greater == (1 / a < 1 / b) ? b : a;
  } else if constexpr (is_floating<A>) {
    if (a != a) return a;
    if (b != b) return b;
    if (!(a < b) && !(b < a)) {  // both may be zero
      const auto x = static_cast<double>(a), y = static_cast<double>(b);
      return greater == (1 / x < 1 / y) ? b : a;
    }
  }
  return greater == (a < b) ? b : a;
}

}  // namespace reduce_detail

struct Minimum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(A a, A b) const {
    return reduce_detail::extreme<false>(a, b);
  }
};
struct Maximum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(A a, A b) const {
    return reduce_detail::extreme<true>(a, b);
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION
