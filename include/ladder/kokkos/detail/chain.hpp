#pragma once

// How a chain on a host holds the values of an operation.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ladder/kokkos/operations.hpp"

namespace ladder::kokkos::reduce_detail {

/// As they are, where nothing else is said of an operation.
template <class Op, class A>
struct Chain {
  using Value = A;
  static KOKKOS_FUNCTION Value of(const A& a) { return a; }
  static KOKKOS_FUNCTION A back(const Value& value) { return value; }
  static KOKKOS_FUNCTION Value join(const Op& op, const Value& a, const Value& b) {
    return op(a, b);
  }
};

/// Extremes of floating numbers, as integers that are ordered as they are: with a sign bit the
/// other bits are turned round, so that -0 is below +0. Then all is moved by as many as there are
/// NaNs of one sign, so that those past the one infinity come to lie behind the other: the NaNs of
/// both signs are the last at the end that wins. A compiler makes four instructions for a vector of
/// it, where it makes nine of an extreme that asks for NaN and zeros.
template <bool greater, class A>
struct Keys {
  static_assert(std::numeric_limits<A>::is_iec559 && (sizeof(A) == 4 || sizeof(A) == 8));
  using Value = std::conditional_t<sizeof(A) == 4, std::int32_t, std::int64_t>;
  using Unsigned = std::make_unsigned_t<Value>;
  static constexpr Value most = std::numeric_limits<Value>::max();
  static constexpr Unsigned nans =
      static_cast<Unsigned>(most) - std::bit_cast<Unsigned>(std::numeric_limits<A>::infinity());

  static KOKKOS_FUNCTION constexpr Value turned(Value bits) {
    return bits ^ ((bits >> (8 * sizeof(A) - 1)) & most);
  }
  static KOKKOS_FUNCTION constexpr Value of(A a) {
    const auto key = static_cast<Unsigned>(turned(std::bit_cast<Value>(a)));
    return static_cast<Value>(greater ? key - nans : key + nans);
  }
  static KOKKOS_FUNCTION constexpr A back(Value value) {
    const auto key = static_cast<Unsigned>(value);
    return std::bit_cast<A>(turned(static_cast<Value>(greater ? key + nans : key - nans)));
  }
  template <class Op>
  static KOKKOS_FUNCTION constexpr Value join(const Op&, Value a, Value b) {
    return greater == (a < b) ? b : a;
  }
};

template <class A>
requires std::is_floating_point_v<A>
struct Chain<Minimum, A> : Keys<false, A> {
};
template <class A>
requires std::is_floating_point_v<A>
struct Chain<Maximum, A> : Keys<true, A> {
};

}  // namespace ladder::kokkos::reduce_detail
