#pragma once

// A sum of doubles with all its bits: an integer in units of the least double, 2^-1074, in digits
// of 32 bits with 31 more for carries (after the "superaccumulator" of Kulisch; carries that wait:
// Neal, "Fast exact summation using small and large superaccumulators", 2015). Integers are added
// in any order alike.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/types.hpp"

namespace ladder::cpu {

class ExactSum {
 public:
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
    if (exponent == 0x7FF) {
      special_ += x;
      return;
    }
    const std::uint64_t fraction = (bits & 0xFFFFFFFFFFFFFU) | std::uint64_t{exponent != 0} << 52;
    const unsigned place = exponent != 0 ? exponent - 1 : 0, shift = place % 32;
    const std::uint64_t low = fraction << shift, high = shift != 0 ? fraction >> (64 - shift) : 0;
    const std::int64_t sign = x < 0 ? -1 : 1;
    std::int64_t* digit = &digits_[place / 32];
    digit[0] += sign * static_cast<std::int64_t>(low & 0xFFFFFFFFU);
    digit[1] += sign * static_cast<std::int64_t>(low >> 32);
    digit[2] += sign * static_cast<std::int64_t>(high);
    if (++added_ == 1U << 30) carry();
  }

  ExactSum& operator+=(ExactSum other) {
    carry();
    other.carry();
    for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += other.digits_[i];
    special_ += other.special_;
    return *this;
  }

  /// Rounded once, to the nearest A and of two to the even one. +0 where nothing is left.
  template <class A>
  A rounded() const {
    if (std::isnan(special_)) return std::numeric_limits<A>::quiet_NaN();
    if (special_ != 0) return static_cast<A>(special_);
    ExactSum all = *this;
    all.carry();
    const bool negative = all.digits_.back() < 0;
    if (negative) {
      for (std::int64_t& digit : all.digits_) digit = -digit;
      all.carry();
    }
    const A value = all.template magnitude<A>();
    return negative ? -value : value;
  }

 private:
  /// Takes from each digit but the last what 32 bits do not hold to the next one.
  void carry() {
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
      digits_[i + 1] += digits_[i] >> 32;
      digits_[i] &= 0xFFFFFFFF;
    }
    added_ = 0;
  }
  std::uint64_t digit(std::size_t i) const { return static_cast<std::uint64_t>(digits_[i]); }

  /// Of a sum without a sign, carried.
  template <class A>
  A magnitude() const {
    std::size_t top = digits_.size() - 2;  // the last one is not in use
    while (top > 0 && digits_[top] == 0) --top;
    // Places are those of bits. What is kept lies in three digits.
    constexpr auto precision = static_cast<std::size_t>(significand_bits<A>());
    const std::size_t end = top * 32 + static_cast<std::size_t>(std::bit_width(digit(top)));
    const std::size_t first = end > precision ? end - precision : 0, at = first / 32;
    const unsigned shift = first % 32;
    std::uint64_t kept = (digit(at) | digit(at + 1) << 32) >> shift;
    if (shift != 0 && at + 2 < digits_.size()) kept |= digit(at + 2) << (64 - shift);
    if (first > 0 && rounds_up(first, kept)) ++kept;
    return std::ldexp(static_cast<A>(kept), static_cast<int>(first) - 1074);
  }
  /// Whether what lies below bit `first` is more than half of it, or half of it and `kept` is odd.
  bool rounds_up(std::size_t first, std::uint64_t kept) const {
    const std::size_t half = first - 1;
    if ((digit(half / 32) >> half % 32 & 1) == 0) return false;
    if ((kept & 1) != 0) return true;
    bool rest = (digit(half / 32) & ((std::uint64_t{1} << half % 32) - 1)) != 0;
    for (std::size_t i = 0; i < half / 32; ++i) rest = rest || digits_[i] != 0;
    return rest;
  }

  /// Doubles end at bit 2098; 2^63 of them at 2161.
  std::array<std::int64_t, 69> digits_{};
  unsigned added_ = 0;  ///< since digits were carried
  double special_ = 0;  ///< the sum of all infinities and NaN
};

}  // namespace ladder::cpu
