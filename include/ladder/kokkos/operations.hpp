#pragma once

// Operations. Any other function object that can be called in a kernel with two accumulators will
// do, if it is associative and commutative.

#include <type_traits>

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

struct Sum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(const A& a, const A& b) const {
    if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

namespace reduce_detail {

/// IEEE 754-2019: a NaN wins, and -0 is below +0.
template <bool greater, class A>
KOKKOS_FUNCTION constexpr A extreme(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) {
    if (a != a || b != b) return a + b;
    if (a == b) return greater == (1 / a < 1 / b) ? b : a;
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

}  // namespace ladder::kokkos
