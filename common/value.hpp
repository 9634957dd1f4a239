#pragma once

// A result whose type is known at run time.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

struct Value {
  Type type = Type::i64;
  std::uint64_t bits = 0;  ///< the value's own bytes, the rest zero

  template <class T>
  static Value of(Type type, T value) {
    Value result{type, 0};
    std::memcpy(&result.bits, &value, sizeof value);
    return result;
  }

  template <class T>
  T as() const {
    T value{};
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  /// Equality of numbers: any NaN equals any NaN, and -0 differs from +0.
  friend bool operator==(const Value& a, const Value& b) {
    return a.type == b.type &&
           (a.bits == b.bits || (std::isnan(a.number()) && std::isnan(b.number())));
  }

  /// As a double: rounded for large int64.
  double number() const {
    return with_type(type, [&]<Type t>() { return static_cast<double>(as<native<t>>()); });
  }

  /// All digits that the type holds.
  std::string text() const;
};

/// Result of an empty reduction.
Value identity_of(Type accumulator, Operation operation);

}  // namespace ladder
