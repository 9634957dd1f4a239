#pragma once

// 16-bit floating-point storage types: bits and conversions. All arithmetic is in float.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ladder {
namespace detail {

/// The bits of `value` in a format of 16 bits with `exponent` bits of exponent, rounded to nearest,
/// ties to even. A NaN stays one, with the highest bits of its payload.
template <unsigned exponent>
constexpr std::uint16_t to_16_bits(float value) {
  constexpr unsigned fraction = 15 - exponent, cut = 23 - fraction;
  constexpr std::uint32_t special = ((1U << exponent) - 1) << fraction;
  constexpr int bias = (1 << (exponent - 1)) - 1;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 31 << 15);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const auto joined = [sign](std::uint32_t rest) {
    return static_cast<std::uint16_t>(sign | rest);
  };
  if (magnitude > 0x7F800000U) {
    return joined(special | 1U << (fraction - 1) | (magnitude & 0x7FFFFFU) >> cut);
  }
  if (magnitude == 0x7F800000U) return joined(special);
  // The significand as an integer, and the number of its bits to drop: all below the last one of a
  // normal number, and more for a subnormal result.
  const int scale = static_cast<int>(magnitude >> 23) == 0 ? 1 : static_cast<int>(magnitude >> 23);
  const std::uint32_t significand =
      (magnitude & 0x7FFFFFU) | (magnitude >> 23 == 0 ? 0U : 0x800000U);
  const int of_normal = scale - 127 + bias;
  const int dropped = static_cast<int>(cut) + (of_normal < 1 ? 1 - of_normal : 0);
  if (dropped > 24) return sign;
  const std::uint32_t kept = significand >> dropped;
  const std::uint32_t rest = significand & ((1U << dropped) - 1), half = 1U << (dropped - 1);
  const std::uint32_t up = rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  // A carry out of the fraction increments the exponent: this rounds up to the next power of two,
  // and past the largest number to infinity.
  const std::uint32_t placed =
      of_normal < 1 ? kept : kept + (static_cast<std::uint32_t>(of_normal - 1) << fraction);
  return joined(placed + up < special ? placed + up : special);
}

}  // namespace detail

/// IEEE 754 binary16.
struct Half {
  std::uint16_t bits;

  Half() = default;
  constexpr explicit Half(float value) : bits(detail::to_16_bits<5>(value)) {}
  constexpr explicit operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t rest = static_cast<std::uint32_t>(bits & 0x7FFFU) << 13;
    // Moved to float's place, the exponent is 112 too small; the product also makes subnormal
    // numbers normal.
    const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F);
    return std::bit_cast<float>(sign | (rest < 0xF800000U ? scaled : rest | 0x7F800000U));
  }
  constexpr explicit operator double() const { return static_cast<double>(float(*this)); }
};

/// The upper half of a float.
struct Bfloat16 {
  std::uint16_t bits;

  Bfloat16() = default;
  constexpr explicit Bfloat16(float value) : bits(detail::to_16_bits<8>(value)) {}
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  constexpr explicit operator double() const { return static_cast<double>(float(*this)); }
};

/// A value of one or two bytes as a word, for hardware that moves words between threads, and back.
template <class T>
constexpr unsigned widened(T value) {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  return std::bit_cast<Bits>(value);
}
template <class T>
constexpr T narrowed(unsigned word) {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  return std::bit_cast<T>(static_cast<Bits>(word));
}

}  // namespace ladder

namespace ladder::detail {
template <class T, std::uint16_t largest, std::uint16_t infinite, std::uint16_t nan>
struct Limits16 {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        has_infinity = true;
  static constexpr T max() { return std::bit_cast<T>(largest); }
  static constexpr T lowest() {
    return std::bit_cast<T>(static_cast<std::uint16_t>(largest | 0x8000U));
  }
  static constexpr T infinity() { return std::bit_cast<T>(infinite); }
  static constexpr T quiet_NaN() { return std::bit_cast<T>(nan); }
  static constexpr T denorm_min() { return std::bit_cast<T>(std::uint16_t{1}); }
};
}  // namespace ladder::detail
template <>
struct std::numeric_limits<ladder::Half>
    : ladder::detail::Limits16<ladder::Half, 0x7BFF, 0x7C00, 0x7E00> {};
template <>
struct std::numeric_limits<ladder::Bfloat16>
    : ladder::detail::Limits16<ladder::Bfloat16, 0x7F7F, 0x7F80, 0x7FC0> {};
