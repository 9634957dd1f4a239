#pragma once

// What an exact sum is made of on a GPU: windows, through which a thread adds up most elements, and
// integers wide enough for all that blocks have seen in one window.
//
// A window of place p is the number 1.5 · 2^(p + 52). As long as a sum that begins with it stays
// between 2^(p + 52) and 2^(p + 53) its bits, taken for an integer, are those of the window and the
// sum in units of 2^p. So a number is cut in two by an addition, and what is cut off is found by
// two subtractions, without an error (as in Demmel and Nguyen, "Parallel reproducible summation",
// 2015). Where the sum has stayed, and nothing is left behind the last window, all is exact: that
// is looked at, not assumed. The rest goes into digits (common/exact_sum.hpp).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/exact_sum.hpp"

namespace ladder::exact {

/// Windows that a thread has for elements of type T: one is enough for 8 or 11 bits.
template <class T>
inline constexpr unsigned windows = sizeof(T) == 2 ? 1 : 2;

/// How far the second window lies below the first. What the first one cuts off is at most half of
/// its unit; of up to 16 elements, that is less than the second one's room.
inline constexpr int apart = 47;
template <class T>
inline constexpr unsigned most_in_batch = windows<T> == 1 ? 32 : 16;

/// The lowest place of what a thread has summed in windows of which the first is at `place`.
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
/// What was added since the window, in its units.
constexpr std::int64_t since(double window, double sum) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum) -
                                   std::bit_cast<std::uint64_t>(window));
}

/// Adds x to `sum`; returns what is cut off. In this order nothing gives -0.
constexpr double cut(double& sum, double x) {
  const double next = sum + x;
  const double rest = (sum - next) + x;
  sum = next;
  return rest;
}

/// The exponent of the least power of two above a magnitude: 1025 of what is not finite, -1022 of
/// zero.
constexpr int past(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF) - 1022;
}

/// That orders elements by their magnitudes; a NaN comes last. Of a double, its upper half.
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

/// Places above the largest element that is known which are kept free for larger ones: more of
/// them, the more a window has to spare below.
template <class T>
inline constexpr int spare = sizeof(T) == 8   ? 8
                             : sizeof(T) == 4 ? 24
                                              : 12;

/// Where the first window belongs if the largest element that is known is below 2^past. All of half
/// has one window.
template <class T>
constexpr int place_for(int past) {
  if constexpr (std::is_same_v<T, Half>) return -25;
  const int place = past + spare<T> - 45, first = least + apart, last = 971;
  return place < first ? first : place > last ? last : place;
}

/// Elements of a batch have to be below 2^room(place): all of them stay in the first window then.
constexpr int room(int place) { return place + 45; }

/// Batches of which a window's sum, below 2^51 each, is sure to fit 64 bits.
inline constexpr unsigned most_batches = 1U << 11;

/// What is known of elements beside sums.
enum Seen : std::uint32_t {
  nothing = 0,
  infinity = 1,
  minus_infinity = 2,
  nan = 4,
  in_digits = 8  ///< some went into digits
};

/// An integer in units of 2^lowest(place), with its sign in the highest bit. n elements below
/// 2^(place + 52) are less than 2^(99 + log2 n) of them.
struct Wide {
  std::uint64_t word[3];
  std::uint64_t seen;  ///< of `Seen`
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
/// Sums of both windows, or of the only one.
template <unsigned windows>
constexpr Wide wide(const std::int64_t (&sum)[windows], std::uint64_t seen) {
  if constexpr (windows == 1) return wide(sum[0], seen);
  const auto bits = static_cast<std::uint64_t>(sum[0]);
  const Wide high{{bits << apart, static_cast<std::uint64_t>(sum[0] >> (64 - apart)),
                   static_cast<std::uint64_t>(sum[0] >> 63)},
                  seen};
  return Add{}(high, wide(sum[windows - 1]));
}

/// What a sum is by what was seen of its elements, if that decides it: NaN, or infinite.
template <class A>
constexpr bool decided(std::uint64_t seen, A& result) {
  const std::uint64_t both = infinity | minus_infinity;
  if ((seen & (both | nan)) == 0) return false;
  result = std::numeric_limits<A>::infinity();
  if ((seen & minus_infinity) != 0) result = -result;
  if ((seen & nan) != 0 || (seen & both) == both) result = std::numeric_limits<A>::quiet_NaN();
  return true;
}

/// sum · 2^place, rounded once; +0 of nothing.
template <class A>
constexpr A rounded(Wide sum, int place) {
  const bool negative = sum.word[2] >> 63 != 0;
  if (negative) {
    for (auto& word : sum.word) word = ~word;
    sum = Add{}(sum, wide(1));
  }
  std::uint64_t high = sum.word[2], middle = sum.word[1], low = sum.word[0];
  place += 128;  // that of the lowest bit of `high`
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
      // Below the first digit there is nothing, and past the last one neither.
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

/// Digits in device memory, all zero before a run: some of each, so that not all blocks add to the
/// same ones. One has room for what 2^31 times three pieces add.
inline constexpr unsigned copies = 16, stride = 72;

/// Digit i of the sum of all copies, half carried: no sum of theirs can overflow then.
constexpr std::int64_t folded(const std::int64_t* digit, unsigned i) {
  std::int64_t sum = 0;
  for (unsigned copy = 0; copy < copies; ++copy, digit += stride) {
    sum += i + 1 < digits ? digit[i] & 0xFFFFFFFF : digit[i];
    if (i > 0) sum += digit[i - 1] >> 32;
  }
  return sum;
}

}  // namespace ladder::exact
