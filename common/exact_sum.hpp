#pragma once

// Exact sum of doubles: an integer in units of the least double, 2^-1074, in digits of 32 bits with
// 31 more for carries (after the "superaccumulator" of Kulisch; delayed carries: Neal, "Fast exact
// summation using small and large superaccumulators", 2015). Integer addition has the same result
// in any order. Free functions have no annotations, so GPUs can call them too, as in
// common/operations.hpp.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/types.hpp"

namespace ladder {
namespace exact {

/// Exponent of the unit of the first digit: that of the least double.
inline constexpr int least = -1074;
/// Doubles end at bit 2098; the sum of 2^63 of them ends at bit 2161.
inline constexpr unsigned digits = 69;

/// value · 2^place.
struct Scaled {
  std::int64_t value;
  int place;
};

/// Converts a finite double.
constexpr Scaled scaled(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = (bits & 0xFFFFFFFFFFFFFU) | std::uint64_t{exponent != 0} << 52;
  const auto magnitude = static_cast<std::int64_t>(fraction);
  return {bits >> 63 != 0 ? -magnitude : magnitude,
          least + static_cast<int>(exponent != 0 ? exponent - 1 : 0)};
}

/// Addends of digits `first`, `first + 1` and `first + 2`.
struct Pieces {
  unsigned first;
  std::int64_t at[3];
};

/// Splits x into addends of three digits. `x.place` must be at least `least`.
constexpr Pieces pieces(const Scaled& x) {
  const auto bits = static_cast<std::uint64_t>(x.value);
  const std::uint64_t magnitude = x.value < 0 ? 0 - bits : bits;
  const std::int64_t sign = x.value < 0 ? -1 : 1;
  const auto position = static_cast<unsigned>(x.place - least);
  const unsigned shift = position % 32;
  const std::uint64_t low = magnitude << shift, high = shift != 0 ? magnitude >> (64 - shift) : 0;
  return {position / 32,
          {sign * static_cast<std::int64_t>(low & 0xFFFFFFFFU),
           sign * static_cast<std::int64_t>(low >> 32), sign * static_cast<std::int64_t>(high)}};
}

/// Carries the bits above 32 of each digit but the last into the next one.
constexpr void carry(std::int64_t* digit) {
  for (unsigned i = 0; i + 1 < digits; ++i) {
    digit[i + 1] += digit[i] >> 32;
    digit[i] &= 0xFFFFFFFF;
  }
}

namespace detail {

template <class A>
constexpr A power_of_two(int exponent) {
  using Bits = std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>;
  constexpr int fraction = significand_bits<A>() - 1, bias = std::numeric_limits<A>::max_exponent;
  return std::bit_cast<A>(static_cast<Bits>(exponent + bias - 1) << fraction);
}

}  // namespace detail

/// Nearest A, ties to even, to top · 2^place plus, if `rest`, less than 2^place. The highest bit of
/// `top` must be set. The value has no bits below the least A: no subnormal is rounded.
template <class A>
constexpr A nearest(std::uint64_t top, bool rest, int place) {
  constexpr int precision = significand_bits<A>(), cut = 64 - precision;
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  std::uint64_t kept = top >> cut;
  const std::uint64_t below = top << precision;
  if (below > half || (below == half && (rest || kept % 2 != 0))) ++kept;
  // In two steps: a single power of two may be out of range although the result is not.
  const int exponent = place + cut, first = exponent / 2;
  return static_cast<A>(kept) * detail::power_of_two<A>(first) *
         detail::power_of_two<A>(exponent - first);
}

/// The digits' integer, rounded once; +0 if it is zero. Leaves the digits carried, without sign.
template <class A>
constexpr A rounded(std::int64_t* digit) {
  carry(digit);
  const bool negative = digit[digits - 1] < 0;
  if (negative) {
    for (unsigned i = 0; i < digits; ++i) digit[i] = -digit[i];
    carry(digit);
  }
  unsigned i = digits - 1;
  while (i > 0 && digit[i] == 0) --i;
  if (digit[i] == 0) return A{0};
  const auto at = [&](unsigned below) {
    return below <= i ? static_cast<std::uint64_t>(digit[i - below]) : 0;
  };
  unsigned width = 0;
  while (at(0) >> width != 0) ++width;
  const std::uint64_t top = at(0) << (64 - width) | at(1) << (32 - width) | at(2) >> width;
  bool rest = (at(2) & ((std::uint64_t{1} << width) - 1)) != 0;
  for (unsigned below = 3; below <= i; ++below) rest = rest || at(below) != 0;
  const A value = nearest<A>(top, rest, least + static_cast<int>(32 * i + width) - 64);
  return negative ? -value : value;
}

}  // namespace exact

class ExactSum {
 public:
  void add(double x) {
    if (!std::isfinite(x)) {
      special_ += x;
      return;
    }
    const exact::Pieces pieces = exact::pieces(exact::scaled(x));
    for (unsigned i = 0; i < 3; ++i) digits_[pieces.first + i] += pieces.at[i];
    if (++added_ == 1U << 30) carry();
  }

  ExactSum& operator+=(ExactSum other) {
    carry();
    other.carry();
    for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += other.digits_[i];
    special_ += other.special_;
    return *this;
  }

  /// Rounded once to the nearest A, ties to even; +0 if the sum is zero.
  template <class A>
  A rounded() const {
    if (std::isnan(special_)) return std::numeric_limits<A>::quiet_NaN();
    if (special_ != 0) return static_cast<A>(special_);
    auto all = digits_;
    return exact::rounded<A>(all.data());
  }

 private:
  void carry() {
    exact::carry(digits_.data());
    added_ = 0;
  }

  std::array<std::int64_t, exact::digits> digits_{};
  unsigned added_ = 0;  ///< additions since the last carry
  double special_ = 0;  ///< the sum of all infinities and NaN
};

}  // namespace ladder
