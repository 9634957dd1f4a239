#pragma once

// Element types: names, sizes, accumulators, and the C++ types that represent them on every
// backend.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "common/half.hpp"

namespace ladder {

enum class Type : std::uint8_t { i32, i64, f32, f64, i8, f16, bf16 };

/// Properties of an element type.
struct TypeFacts {
  Type type;
  std::string_view name;   ///< as on the command line and in records: "f32"
  std::string_view words;  ///< as in a sentence: "float"
  std::size_t bytes;       ///< of one element
  Type accumulator;        ///< type of sums and products of such elements
  bool integer;
  /// Unit roundoff u of the accumulator, half the distance from 1 to the next number; 0 for
  /// integers.
  double roundoff;
  std::string_view npy;  ///< name in a .npy file; empty if it has none
};

inline constexpr std::array types{
    TypeFacts{Type::i32, "i32", "int32", 4, Type::i32, true, 0, "<i4"},
    TypeFacts{Type::i64, "i64", "int64", 8, Type::i64, true, 0, "<i8"},
    TypeFacts{Type::f32, "f32", "float", 4, Type::f32, false, 0x1p-24, "<f4"},
    TypeFacts{Type::f64, "f64", "double", 8, Type::f64, false, 0x1p-53, "<f8"},
    TypeFacts{Type::i8, "i8", "int8", 1, Type::i32, true, 0, "|i1"},
    TypeFacts{Type::f16, "f16", "half", 2, Type::f32, false, 0x1p-24, "<f2"},
    TypeFacts{Type::bf16, "bf16", "bfloat16", 2, Type::f32, false, 0x1p-24, ""},
};

constexpr const TypeFacts& facts(Type type) { return types[static_cast<std::size_t>(type)]; }

namespace detail {
/// In the order of `Type`.
using Natives = std::tuple<std::int32_t, std::int64_t, float, double, std::int8_t, Half, Bfloat16>;
static_assert(std::tuple_size_v<Natives> == types.size());
}  // namespace detail

/// The C++ type of an element.
template <Type type>
using native = std::tuple_element_t<static_cast<std::size_t>(type), detail::Natives>;

/// True for floating-point types, including those that are only stored as such.
template <class T>
inline constexpr bool is_floating = !std::is_integral_v<T>;

/// Type of computations with values of type T.
template <class T>
using Computed = std::conditional_t<is_floating<T> && sizeof(T) == 2, float, T>;

/// Bits of a floating type's significand, including the leading one.
template <class T>
constexpr int significand_bits() {
  if constexpr (std::is_same_v<T, Half>) return 11;
  if constexpr (std::is_same_v<T, Bfloat16>) return 8;
  return sizeof(T) == 4 ? 24 : 53;
}

namespace detail {
template <std::size_t i, class F>
constexpr decltype(auto) with_type_from(Type type, F&& f) {
  if constexpr (i + 1 < types.size()) {
    if (type != types[i].type) return with_type_from<i + 1>(type, f);
  }
  return f.template operator()<types[i].type>();
}
}  // namespace detail

/// Calls `f.template operator()<type>()` for the run-time `type`: the one place where a `Type`
/// becomes a C++ type.
template <class F>
constexpr decltype(auto) with_type(Type type, F&& f) {
  return detail::with_type_from<0>(type, f);
}

}  // namespace ladder
