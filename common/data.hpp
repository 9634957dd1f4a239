#pragma once

// Input data. Element i depends only on the recipe and on i, in integer arithmetic with one exact
// scaling. So every backend makes the same bits, and every size is a prefix of the largest.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

enum class Data : std::uint8_t { exact, uniform, normal, file };

constexpr std::string_view name(Data data) {
  switch (data) {
    case Data::exact:
      return "exact";
    case Data::uniform:
      return "uniform";
    case Data::normal:
      return "normal";
    case Data::file:
      break;
  }
  return "file";
}

/// Specification of the elements. `exact` data is made for its operation; the other kinds serve
/// every operation.
struct Recipe {
  Data data = Data::exact;
  Operation operation = Operation::sum;
  std::uint64_t seed = 1;
  bool operator==(const Recipe&) const = default;
};

/// The counter-based generator: output i of SplitMix64 started at `seed` (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014), without computing earlier outputs.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// True for types of one or two bytes: their exact data fits 8 bits.
template <class T>
inline constexpr bool is_narrow = sizeof(T) < 4;

namespace detail {

/// ±1, except for four factors in each [2^k, 2^(k+1)) from 4 on: 2, 1/2, 2, 1/2, a quarter of the
/// range apart. They are so few that the product of any subset of the elements, in any order, lies
/// between 2^-62 and 2^62: each partial result is exact and finite in float. In halves, so that it
/// is an integer.
constexpr std::int64_t exact_factor_in_halves(std::uint64_t seed, std::uint64_t i) {
  const std::int64_t sign = (random_word(seed, i) & 1) != 0 ? 1 : -1;
  int octave = 0;  // std::bit_width is not available in device code
  for (int step = 32; step > 0; step /= 2) {
    if (i >> octave >> step != 0) octave += step;
  }
  if (octave < 2) return 2 * sign;
  const std::uint64_t quarter = std::uint64_t{1} << (octave - 2);
  const std::uint64_t place = random_word(~seed, static_cast<std::uint64_t>(octave));
  if (i % quarter != place % quarter) return 2 * sign;
  return (i / quarter % 2 == 0 ? 4 : 1) * sign;
}

/// Elements of `exact` data as integers. Except for the floating product, neighbours always differ
/// (their parities, or a low bit, alternate). So a result that used a neighbour's element instead
/// of the right one shows.
///
/// `narrow`: within 8 bits, signed, so that int8 and bfloat16 hold them.
constexpr std::int64_t exact_integer(Operation operation, bool integer, bool narrow,
                                     std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t word = random_word(seed, i);
  const std::int64_t odd_place = static_cast<std::int64_t>(i & 1);
  const std::int64_t draw = static_cast<std::int64_t>(word >> 8);
  const std::int64_t far_from_zero =
      odd_place + (narrow ? 11 + 2 * (draw % 50) : 1001 + 2 * (draw % 500));
  switch (operation) {
    // Up to ±63. Modulo 4 each group of four is 1, 2, 3, 0: neighbours differ, and the first one,
    // two or three of a group never cancel, so a vector's lost tail shows. Each position in a group
    // has mean zero, so that a chain of every fourth element does not drift past 2^24.
    case Operation::sum: {
      const std::int64_t slot =
          draw % 64;  // slots 0..31: -16..15; 32..62: -15..15; 63: 0: mean -1/4
      const std::int64_t quarter = slot < 32 ? slot - 16 : slot < 63 ? slot - 47 : 0;
      switch (i % 4) {
        case 0:
          return 1 + 4 * quarter;
        case 1:
          return 2 + 4 * (draw % 32 - 16);
        case 2:
          return -1 - 4 * quarter;
        default:
          return (word & 1) != 0 ? 4 + 4 * (draw % 15) : -4 - 4 * (draw % 15);
      }
    }
    case Operation::product:  // odd and not 1, so invertible modulo 2^w and never without effect
      if (!integer) return exact_factor_in_halves(seed, i);
      return 5 + 2 * odd_place + 4 * (draw % 61);
    // The extremum to be planted lies one step past these, on their side of zero: a result of 0 is
    // wrong.
    case Operation::min:
      return far_from_zero;
    case Operation::max:
      return -far_from_zero;
    // Low half: random, its first bit alternating. High half: all ones (and) or zeros (or), where
    // one bit is planted.
    case Operation::bit_and:
      return ~std::int64_t{narrow ? 0xF : 0xFFFF} |
             static_cast<std::int64_t>(word & (narrow ? 0xE : 0xFFFE)) | odd_place;
    case Operation::bit_or:
      return static_cast<std::int64_t>(word & (narrow ? 0xE : 0xFFFE)) | odd_place;
    case Operation::bit_xor:
      break;
  }
  return static_cast<std::int64_t>((word & ~std::uint64_t{1}) | 2) | odd_place;
}

/// Bits that normal data drops if the significand has fewer than its 20.
template <class T>
constexpr int normal_shift() {
  if (std::is_integral_v<T>) return 0;
  return significand_bits<T>() < 20 ? 20 - significand_bits<T>() : 0;
}

/// The sum of twelve 16-bit draws less its mean: about normal, standard deviation 2^16
/// (Irwin-Hall).
constexpr std::int64_t normal_integer(std::uint64_t seed, std::uint64_t i) {
  std::int64_t sum = -393210;
  for (std::uint64_t part = 0; part < 3; ++part) {
    const std::uint64_t word = random_word(seed + part, 3 * i + part);
    for (int shift = 0; shift < 64; shift += 16)
      sum += static_cast<std::int64_t>((word >> shift) & 0xFFFF);
  }
  return sum;
}

}  // namespace detail

/// Element i before scaling: the element is `integer_element · 2^scale_exponent`, exactly. Not for
/// `Data::file`.
template <class T>
constexpr std::int64_t integer_element(const Recipe& recipe, std::uint64_t i) {
  constexpr bool integer = std::is_integral_v<T>;
  switch (recipe.data) {
    case Data::uniform: {
      const std::uint64_t word = random_word(recipe.seed, i);
      if constexpr (integer) return static_cast<std::int64_t>(static_cast<T>(word));
      return static_cast<std::int64_t>(word >> (64 - significand_bits<T>()));
    }
    case Data::normal:
      return detail::normal_integer(recipe.seed, i) >> detail::normal_shift<T>();
    case Data::exact:
    case Data::file:
      break;
  }
  return detail::exact_integer(recipe.operation, integer, is_narrow<T>, recipe.seed, i);
}

/// Uniform data lies in [0, 1), normal data has standard deviation 1; on integers they stay
/// unscaled.
template <class T>
constexpr int scale_exponent(const Recipe& recipe) {
  if (std::is_integral_v<T>) return 0;
  switch (recipe.data) {
    case Data::uniform:
      return -significand_bits<T>();
    case Data::normal:
      return detail::normal_shift<T>() - 16;
    case Data::exact:
    case Data::file:
      break;
  }
  return recipe.operation == Operation::product ? -1 : 0;
}

/// Element i of the recipe's data. Not for `Data::file`.
template <class T>
constexpr T element(const Recipe& recipe, std::uint64_t i) {
  const std::int64_t integer = integer_element<T>(recipe, i);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(integer);
  } else {
    const int exponent = scale_exponent<T>(recipe);
    Computed<T> scale = 1;
    for (int e = exponent; e < 0; ++e) scale *= Computed<T>{0.5};
    return T(static_cast<Computed<T>>(integer) * scale);
  }
}

/// The element that decides a min, max, bit_and or bit_or over `exact` data: one step past all
/// others, or with one bit changed.
template <class T>
constexpr T planted_element(Operation operation, const Recipe& recipe, std::uint64_t i) {
  switch (operation) {
    case Operation::min:
      return T(is_narrow<T> ? 10 : 1000);
    case Operation::max:
      return T(is_narrow<T> ? -10 : -1000);
    case Operation::bit_and:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(element<T>(recipe, i) & ~(T{1} << (is_narrow<T> ? 6 : 20)));
      }
      break;
    case Operation::bit_or:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(element<T>(recipe, i) | (T{1} << (is_narrow<T> ? 6 : 20)));
      }
      break;
    default:
      break;
  }
  return element<T>(recipe, i);
}

constexpr bool plants(Operation operation) {
  return operation == Operation::min || operation == Operation::max ||
         operation == Operation::bit_and || operation == Operation::bit_or;
}

/// Position of the element that decides a min, max, bit_and or bit_or.
enum class Place : std::uint8_t { first, last, tail, edge, random };

inline constexpr std::array<std::string_view, 5> place_names{"first", "last", "tail", "edge",
                                                             "random"};

constexpr std::string_view name(Place place) {
  return place_names[static_cast<std::size_t>(place)];
}

/// Index in [0, n), n > 0: the first or last element, the first one after the last whole group of
/// four (a vector load's remainder), the last of a block near the middle, or one drawn from the
/// seed.
constexpr std::size_t index_of(Place place, std::size_t n, unsigned block, std::uint64_t seed) {
  switch (place) {
    case Place::first:
      return 0;
    case Place::last:
      return n - 1;
    case Place::tail:
      return n % 4 == 0 ? n - 1 : n - n % 4;
    case Place::edge: {
      const std::size_t width = block == 0 ? 256 : block;
      return std::min(n - 1, std::max<std::size_t>(1, n / width / 2) * width - 1);
    }
    case Place::random:
      break;
  }
  return static_cast<std::size_t>(random_word(seed ^ 0x706C616365u, n) % n);
}

/// Guard after the last element while a rung is checked: it would win, or shift the result by far
/// more than an element does.
template <class T>
constexpr T guard_element(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return T(is_narrow<T> ? 101 : 100003);
    case Operation::product:
      return T(3);
    case Operation::min:
      return T(is_narrow<T> ? -101 : -1000000);
    case Operation::max:
      return T(is_narrow<T> ? 101 : 1000000);
    case Operation::bit_and:
      return T(0);
    case Operation::bit_or:
      return static_cast<T>(-1);
    case Operation::bit_xor:
      break;
  }
  if constexpr (is_floating<T>) {
    return T(0);  // no such operation on these
  } else {
    return static_cast<T>(0x5A5A5A5A);
  }
}

}  // namespace ladder
