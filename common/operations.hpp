#pragma once

// The operations, as functions that every backend calls: on a GPU through --expt-relaxed-constexpr,
// so that nothing here needs an annotation.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "common/types.hpp"

namespace ladder {

enum class Operation : std::uint8_t { sum, product, min, max, bit_and, bit_or, bit_xor };

struct OperationFacts {
  Operation operation;
  std::string_view name;  ///< as on the command line and in records: "sum"
  bool integers_only;
};

inline constexpr std::array operations{
    OperationFacts{Operation::sum, "sum", false},
    OperationFacts{Operation::product, "product", false},
    OperationFacts{Operation::min, "min", false},
    OperationFacts{Operation::max, "max", false},
    OperationFacts{Operation::bit_and, "and", true},
    OperationFacts{Operation::bit_or, "or", true},
    OperationFacts{Operation::bit_xor, "xor", true},
};

constexpr const OperationFacts& facts(Operation operation) {
  return operations[static_cast<std::size_t>(operation)];
}

namespace detail {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// Integer arithmetic that wraps, done on the unsigned type: signed overflow is undefined.
template <class T, class F>
constexpr T wrapping(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(f(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
  } else {
    return f(a, b);
  }
}

/// IEEE 754-2019 minimum and maximum: a NaN propagates, and -0 < +0. If neither operand is smaller,
/// they are equal or unordered. Equal ones differ at most in the sign of a zero, so combining their
/// bits picks the right zero and changes nothing else. Bits combined by `or` keep a NaN a NaN;
/// those combined by `and` may not and are then set. Two comparisons suffice, without an addition,
/// which vectorizes best. All three candidates are computed before one is chosen: an early return
/// makes a GPU branch.
template <bool greater, class T>
constexpr T select(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return (greater ? a > b : a < b) ? a : b;
  } else {
    const auto x = std::bit_cast<Bits<T>>(a), y = std::bit_cast<Bits<T>>(b);
    const auto p = static_cast<Computed<T>>(a), q = static_cast<Computed<T>>(b);
    constexpr auto all = static_cast<Bits<T>>(~Bits<T>{0});
    const auto joined =
        static_cast<Bits<T>>(greater ? (x & y) | (p == q ? Bits<T>{0} : all) : x | y);
    const bool first = greater ? p > q : p < q, second = greater ? q > p : q < p;
    return std::bit_cast<T>(first ? x : second ? y : joined);
  }
}

template <class T>
constexpr T lowest() {
  if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::min();
  return T(-static_cast<Computed<T>>(std::numeric_limits<T>::infinity()));
}

template <class T>
constexpr T highest() {
  if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::max();
  return std::numeric_limits<T>::infinity();
}

}  // namespace detail

/// An operation on values of type T: associative and commutative up to rounding, with an identity.
template <Operation operation, class T>
struct Function {
  using value = T;
  static constexpr Operation kind = operation;

  static constexpr T identity() {
    if constexpr (operation == Operation::product) return T{1};
    if constexpr (operation == Operation::min) return detail::highest<T>();
    if constexpr (operation == Operation::max) return detail::lowest<T>();
    if constexpr (operation == Operation::bit_and) return static_cast<T>(-1);
    return T{0};
  }

  constexpr T operator()(T a, T b) const {
    if constexpr (operation == Operation::sum) {
      return detail::wrapping(a, b, [](auto x, auto y) { return x + y; });
    } else if constexpr (operation == Operation::product) {
      return detail::wrapping(a, b, [](auto x, auto y) { return x * y; });
    } else if constexpr (operation == Operation::min) {
      return detail::select<false>(a, b);
    } else if constexpr (operation == Operation::max) {
      return detail::select<true>(a, b);
    } else if constexpr (operation == Operation::bit_and) {
      return static_cast<T>(a & b);
    } else if constexpr (operation == Operation::bit_or) {
      return static_cast<T>(a | b);
    } else {
      return static_cast<T>(a ^ b);
    }
  }
};

/// Calls `f.template operator()<operation>()` for the run-time `operation`.
template <class F>
constexpr decltype(auto) with_operation(Operation operation, F&& f) {
  switch (operation) {
    case Operation::sum:
      return f.template operator()<Operation::sum>();
    case Operation::product:
      return f.template operator()<Operation::product>();
    case Operation::min:
      return f.template operator()<Operation::min>();
    case Operation::max:
      return f.template operator()<Operation::max>();
    case Operation::bit_and:
      return f.template operator()<Operation::bit_and>();
    case Operation::bit_or:
      return f.template operator()<Operation::bit_or>();
    case Operation::bit_xor:
      break;
  }
  return f.template operator()<Operation::bit_xor>();
}

}  // namespace ladder
