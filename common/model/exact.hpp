#pragma once

// Building blocks of an exact sum on a GPU: windows, which absorb most elements of a thread, and
// integers wide enough for all that blocks have summed in one window.
//
// A window of place p is the number 1.5 · 2^(p + 52). While a sum that starts at a window stays
// between 2^(p + 52) and 2^(p + 53), its bits as an integer are the window's bits plus the sum in
// units of 2^p. So one addition cuts a number in two, and two subtractions recover the cut-off part
// without error (as in Demmel and Nguyen, "Parallel reproducible summation", 2015). The result is
// exact if the sum stayed in range and the last window cut nothing off; both are checked. The rest
// goes into digits (common/exact_sum.hpp).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/exact_sum.hpp"

namespace ladder::exact {

/// Windows per thread for elements of type T: one suffices for significands of 8 or 11 bits.
template <class T>
inline constexpr unsigned windows = sizeof(T) == 2 ? 1 : 2;

/// Distance from the first window down to the second. The first one cuts off at most half of its
/// unit; up to 16 such remainders fit in the second one's room.
inline constexpr int apart = 47;
template <class T>
inline constexpr unsigned most_in_batch = windows<T> == 1 ? 32 : 16;

/// Lowest place of a thread's sums in windows if the first window is at `place`.
template <class T>
constexpr int lowest(int place) {
  return place - (windows<T> == 2 ? apart : 0);
}

constexpr double window(int place) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(place + 52 + 1023) << 52 |
                               std::uint64_t{1} << 51);
}
constexpr std::uint32_t upper(double x) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
}
constexpr std::uint32_t lower(double x) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x));
}
/// Amount added since the window, in its units.
constexpr std::int64_t since(double window, double sum) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum) -
                                   std::bit_cast<std::uint64_t>(window));
}

/// Adds x to `sum`; returns the cut-off remainder. This order of operations never yields -0.
constexpr double cut(double& sum, double x) {
  const double next = sum + x;
  const double rest = (sum - next) + x;
  sum = next;
  return rest;
}

/// Exponent of the least power of two above |x|: 1025 if x is not finite, -1022 for zero.
constexpr int past(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF) - 1022;
}

/// Sort key by magnitude, NaN last; for a double, its upper half.
template <class T>
constexpr std::uint32_t magnitude(T x) {
  if constexpr (sizeof(T) == 8) {
    return upper(x) & 0x7FFFFFFF;
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(x) & 0x7FFFFFFF;
  } else {
    return x.bits & 0x7FFF;
  }
}

/// Places kept free above the largest known element for larger ones: more of them, the more places
/// a window can spare below.
template <class T>
inline constexpr int spare = sizeof(T) == 8   ? 8
                             : sizeof(T) == 4 ? 24
                                              : 12;

/// Place of the first window if the largest known element is below 2^past. One window covers all
/// values of half.
template <class T>
constexpr int place_for(int past) {
  if constexpr (std::is_same_v<T, Half>) return -25;
  const int place = past + spare<T> - 45, first = least + apart, last = 971;
  return place < first ? first : place > last ? last : place;
}

/// Elements of a batch must be below 2^room(place); all of them then stay in the first window.
constexpr int room(int place) { return place + 45; }

/// Batches whose sums in one window, each below 2^51, are sure to fit 64 bits.
inline constexpr unsigned most_batches = 1U << 11;

/// Flags of the elements seen, kept besides the sums.
enum Seen : std::uint32_t {
  nothing = 0,
  infinity = 1,
  minus_infinity = 2,
  nan = 4,
  in_digits = 8  ///< some elements went into digits
};

/// An integer in units of 2^lowest(place), with its sign in the highest bit. The sum of n elements
/// below 2^(place + 52) is less than 2^(99 + log2 n) units.
struct Wide {
  std::uint64_t word[3];
  std::uint64_t seen;  ///< bits of `Seen`
};

struct Add {
  using value = Wide;
  static constexpr Wide identity() { return {}; }
  constexpr Wide operator()(const Wide& a, const Wide& b) const {
    Wide sum{{a.word[0] + b.word[0], a.word[1] + b.word[1], a.word[2] + b.word[2]},
             a.seen | b.seen};
    const std::uint64_t from_0 = sum.word[0] < a.word[0] ? 1 : 0;
    const std::uint64_t from_1 = sum.word[1] < a.word[1] ? 1 : 0;
    sum.word[1] += from_0;
    sum.word[2] += from_1 + (sum.word[1] < from_0 ? 1 : 0);
    return sum;
  }
};

constexpr Wide wide(std::int64_t value, std::uint64_t seen = nothing) {
  const auto sign = static_cast<std::uint64_t>(value >> 63);
  return {{static_cast<std::uint64_t>(value), sign, sign}, seen};
}
/// Combined sum of both windows, or of the only one.
template <unsigned windows>
constexpr Wide wide(const std::int64_t (&sum)[windows], std::uint64_t seen) {
  if constexpr (windows == 1) return wide(sum[0], seen);
  const auto bits = static_cast<std::uint64_t>(sum[0]);
  const Wide high{{bits << apart, static_cast<std::uint64_t>(sum[0] >> (64 - apart)),
                   static_cast<std::uint64_t>(sum[0] >> 63)},
                  seen};
  return Add{}(high, wide(sum[windows - 1]));
}

/// True if the flags alone decide the sum; `result` is then NaN or infinite.
template <class A>
constexpr bool decided(std::uint64_t seen, A& result) {
  const std::uint64_t both = infinity | minus_infinity;
  if ((seen & (both | nan)) == 0) return false;
  result = std::numeric_limits<A>::infinity();
  if ((seen & minus_infinity) != 0) result = -result;
  if ((seen & nan) != 0 || (seen & both) == both) result = std::numeric_limits<A>::quiet_NaN();
  return true;
}

/// sum · 2^place, rounded once; +0 if the sum is zero.
template <class A>
constexpr A rounded(Wide sum, int place) {
  const bool negative = sum.word[2] >> 63 != 0;
  if (negative) {
    for (auto& word : sum.word) word = ~word;
    sum = Add{}(sum, wide(1));
  }
  std::uint64_t high = sum.word[2], middle = sum.word[1], low = sum.word[0];
  place += 128;  // place of the lowest bit of `high`
  for (int i = 0; i < 2 && high == 0; ++i, place -= 64) {
    high = middle;
    middle = low;
    low = 0;
  }
  if (high == 0) return A{0};
  for (int by = 32; by > 0; by /= 2) {
    if (high >> (64 - by) != 0) continue;
    high = high << by | middle >> (64 - by);
    middle <<= by;
    place -= by;
  }
  const A value = nearest<A>(high, middle != 0 || low != 0, place);
  return negative ? -value : value;
}

/// Adds sum · 2^place to digits.
constexpr void add(std::int64_t* digit, Wide sum, int place) {
  const bool negative = sum.word[2] >> 63 != 0;
  if (negative) {
    for (auto& word : sum.word) word = ~word;
    sum = Add{}(sum, wide(1));
  }
  for (const auto word : sum.word) {
    for (const auto half : {word & 0xFFFFFFFF, word >> 32}) {
      // Bits below the first digit or past the last one are always zero.
      if (half != 0) {
        const Pieces cut = pieces({static_cast<std::int64_t>(half), place});
        for (unsigned i = 0; i < 3; ++i) {
          if (cut.at[i] != 0) digit[cut.first + i] += negative ? -cut.at[i] : cut.at[i];
        }
      }
      place += 32;
    }
  }
}

/// Digits in device memory, all zero before a run. Several copies, so that not all blocks add to
/// the same ones. One copy has room for 2^31 additions of three pieces.
inline constexpr unsigned copies = 16, stride = 72;

/// Digit i of the sum of all copies. Carries move up one digit first, so the sum cannot overflow.
constexpr std::int64_t folded(const std::int64_t* digit, unsigned i) {
  std::int64_t sum = 0;
  for (unsigned copy = 0; copy < copies; ++copy, digit += stride) {
    sum += i + 1 < digits ? digit[i] & 0xFFFFFFFF : digit[i];
    if (i > 0) sum += digit[i - 1] >> 32;
  }
  return sum;
}

}  // namespace ladder::exact
