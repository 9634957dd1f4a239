#pragma once

// Element types: their names, sizes, accumulators, and the C++ types that stand for them on every
// backend.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ladder {

enum class Type : std::uint8_t { i32, i64, f32, f64 };

/// What the harness has to know about an element type.
struct TypeFacts {
  Type type;
  std::string_view name;   ///< as on the command line and in records: "f32"
  std::string_view words;  ///< as in a sentence: "float"
  std::size_t bytes;       ///< of one element
  Type accumulator;        ///< what a sum or product of such elements is carried in
  bool integer;
  /// Unit roundoff u of the accumulator, half the distance from 1 to the next number; 0 for
  /// integers.
  double roundoff;
};

inline constexpr std::array types{
    TypeFacts{Type::i32, "i32", "int32", 4, Type::i32, true, 0},
    TypeFacts{Type::i64, "i64", "int64", 8, Type::i64, true, 0},
    TypeFacts{Type::f32, "f32", "float", 4, Type::f32, false, 0x1p-24},
    TypeFacts{Type::f64, "f64", "double", 8, Type::f64, false, 0x1p-53},
};

constexpr const TypeFacts& facts(Type type) { return types[static_cast<std::size_t>(type)]; }

namespace detail {
template <Type type>
struct Native;
template <>
struct Native<Type::i32> {
  using type = std::int32_t;
};
template <>
struct Native<Type::i64> {
  using type = std::int64_t;
};
template <>
struct Native<Type::f32> {
  using type = float;
};
template <>
struct Native<Type::f64> {
  using type = double;
};
}  // namespace detail

/// The C++ type of an element.
template <Type type>
using native = typename detail::Native<type>::type;

/// Calls `f.template operator()<type>()` for the run-time `type`: the one place where a `Type`
/// becomes a C++ type.
template <class F>
constexpr decltype(auto) with_type(Type type, F&& f) {
  switch (type) {
    case Type::i32:
      return f.template operator()<Type::i32>();
    case Type::i64:
      return f.template operator()<Type::i64>();
    case Type::f32:
      return f.template operator()<Type::f32>();
    case Type::f64:
      break;
  }
  return f.template operator()<Type::f64>();
}

}  // namespace ladder
