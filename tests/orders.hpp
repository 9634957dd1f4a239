#pragma once

// Data whose result depends on the order of operations, and special values; the exact sum, computed
// bit by bit.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/data.hpp"
#include "common/problem.hpp"

namespace ladder::tests {

template <class T>
using Arrays = std::vector<std::pair<std::string, std::vector<T>>>;

template <class T>
std::vector<T> array_of(std::size_t n, const std::function<double(std::size_t, std::uint64_t)>& x) {
  std::vector<T> array(n);
  for (std::size_t i = 0; i < n; ++i) {
    array[i] = T(static_cast<Computed<T>>(x(i, random_word(31, i))));
  }
  return array;
}

/// A number in [1, 2) with random bits in the whole significand.
inline double random_significand(std::uint64_t word) {
  return 1 + static_cast<double>(word >> 12) * 0x1p-52;
}
inline double random_sign(std::uint64_t word) { return (word & 1) != 0 ? 1 : -1; }

/// Data on which every addition or product rounds: full significands of different magnitudes.
/// Products stay near 1.
template <class T>
std::vector<T> rough(Operation operation, std::size_t n) {
  return array_of<T>(n, [&](std::size_t, std::uint64_t word) {
    const double significand = random_significand(word), sign = random_sign(word);
    if (operation == Operation::product) return sign * (1 + (significand - 1.5) / 32);
    return sign * std::ldexp(significand, static_cast<int>(word >> 1 & 15) - 8);
  });
}

/// Arrays that stress an order of operations.
template <class T>
Arrays<T> hostile(std::size_t n) {
  using Limits = std::numeric_limits<T>;
  const auto most = static_cast<double>(Limits::max());
  const auto least = static_cast<double>(Limits::denorm_min());
  const auto infinity = static_cast<double>(Limits::infinity());
  const auto nan = static_cast<double>(Limits::quiet_NaN());
  Arrays<T> arrays;
  const auto add = [&](const char* what, const auto& x) {
    arrays.emplace_back(what, array_of<T>(n, x));
  };
  add("what cancels", [&](std::size_t i, std::uint64_t) {
    if (i == n / 3) return 1.0;
    const std::uint64_t word = random_word(3, i / 2);  // one per pair
    const auto x = T(static_cast<Computed<T>>(random_significand(word)));
    const double sign = i % 2 == 0 ? 1 : -1;
    return sign * std::ldexp(static_cast<double>(x), static_cast<int>(word % 12));
  });
  add("subnormal numbers", [&](std::size_t, std::uint64_t word) {
    return random_sign(word) * least * static_cast<double>(word >> 1 & 63);
  });
  add("an overflow in the middle", [&](std::size_t i, std::uint64_t word) {
    if (i < n / 2) return i % 7 == 3 ? most : random_significand(word);
    return (i - n / 2) % 7 == 3 ? -most : random_significand(word);
  });
  add("nothing but the largest", [&](std::size_t, std::uint64_t) { return most; });
  add("one far below the others", [&](std::size_t i, std::uint64_t word) {
    return i % 701 == 5 ? least : random_sign(word) * random_significand(word);
  });
  add("a NaN with a sign", [&](std::size_t i, std::uint64_t word) {
    return i == n / 2 ? -nan : random_significand(word);
  });
  add("both infinities", [&](std::size_t i, std::uint64_t word) {
    return i == 0 ? -infinity : i == n - 1 && n > 1 ? infinity : random_significand(word);
  });
  add("an infinity among the largest",
      [&](std::size_t i, std::uint64_t) { return i == n / 2 ? -infinity : most; });
  add("nothing but -0", [&](std::size_t, std::uint64_t) { return -0.0; });
  arrays.emplace_back("any exponents", std::vector<T>(n));
  for (std::size_t i = 0; i < n; ++i) {
    auto bits = static_cast<detail::Bits<T>>(random_word(9, i));
    const auto special = std::bit_cast<detail::Bits<T>>(Limits::infinity());
    if ((bits & special) == special) bits = static_cast<detail::Bits<T>>(bits ^ special);
    arrays.back().second[i] = std::bit_cast<T>(bits);
  }
  return arrays;
}

inline constexpr const char* subnormal = "subnormal numbers";

/// Arrays of floats that break an implementation that uses `<` alone or starts from its first
/// element.
template <class T>
Arrays<T> special_arrays(Operation operation, std::size_t n) {
  using Limits = std::numeric_limits<T>;
  constexpr T infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  const auto minus = [](T value) { return T(-static_cast<Computed<T>>(value)); };
  const T zero = T(0), minus_zero = minus(zero);
  std::vector<T> plain(n);
  for (std::size_t i = 0; i < n; ++i) plain[i] = element<T>({Data::exact, operation, 1}, i);
  Arrays<T> arrays;
  const auto add = [&](std::string what, std::vector<T> array, auto... places) {
    (places(array), ...);
    arrays.emplace_back(std::move(what), std::move(array));
  };
  const auto put = [n](std::size_t index, T value) {
    return [=](std::vector<T>& array) { array[std::min(index, n - 1)] = value; };
  };
  add("NaN first", plain, put(0, nan));
  add("NaN in the middle", plain, put(n / 2, minus(nan)));
  add("NaN last", plain, put(n - 1, nan));
  add("NaN before the infinities", plain, put(0, nan), put(n / 2, infinity),
      put(n - 1, minus(infinity)));
  add("NaN behind the infinities", plain, put(0, infinity), put(n / 2, minus(infinity)),
      put(n - 1, nan));
  add("nothing but NaN", std::vector<T>(n, nan));
  add("infinity", plain, put(n / 2, infinity));
  add("minus infinity", plain, put(n / 3, minus(infinity)));
  add("both infinities", plain, put(0, infinity), put(n - 1, minus(infinity)));
  add("nothing but infinity", std::vector<T>(n, infinity));
  add("nothing but minus infinity", std::vector<T>(n, minus(infinity)));
  add("nothing but -0", std::vector<T>(n, minus_zero));
  add("one +0 among -0", std::vector<T>(n, minus_zero), put(n / 2, zero));
  add("one -0 among +0", std::vector<T>(n, zero), put(n - 1, minus_zero));
  add("-0 first, then +0", std::vector<T>(n, zero), put(0, minus_zero));
  add(subnormal, std::vector<T>(n, Limits::denorm_min()), put(n / 2, zero));
  if (operation != Operation::sum) {
    add("the ends of the range", plain, put(0, Limits::max()), put(n - 1, Limits::lowest()));
  }
  return arrays;
}

/// The exact sum, rounded once: counts the bits of each place, then carries.
template <class A, class T>
A exactly_rounded(const std::vector<T>& x) {
  constexpr int least = -1074, places = 2300;
  std::vector<std::int64_t> count(places, 0);
  double special = 0;
  for (const T& element : x) {
    const auto value = static_cast<double>(element);
    if (!std::isfinite(value)) {
      special += value;
      continue;
    }
    int exponent = 0;
    auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
    int place = exponent - 53 - least;
    for (; place < 0; ++place) whole /= 2;  // exact: no bits below the least double
    for (; whole != 0; whole /= 2, ++place) {
      if (whole % 2 != 0) count[static_cast<std::size_t>(place)] += value < 0 ? -1 : 1;
    }
  }
  if (std::isnan(special)) return std::numeric_limits<A>::quiet_NaN();
  if (special != 0) return static_cast<A>(special);
  const auto carry = [&] {  // leaves 0 or 1 in each place, and the sign in the last
    for (std::size_t i = 0; i + 1 < count.size(); ++i) {
      const std::int64_t bit = count[i] & 1;
      count[i + 1] += (count[i] - bit) / 2;
      count[i] = bit;
    }
  };
  carry();
  const bool negative = count.back() < 0;
  if (negative) {
    for (std::int64_t& bit : count) bit = -bit;
    carry();
  }
  int place = places - 1;
  while (place >= 0 && count[static_cast<std::size_t>(place)] == 0) --place;
  A value = 0;
  int taken = 0;
  for (; place >= 0 && taken < significand_bits<A>(); --place, ++taken) {
    value = 2 * value + static_cast<A>(count[static_cast<std::size_t>(place)]);
  }
  if (place >= 0 && count[static_cast<std::size_t>(place)] != 0) {
    const bool more =
        std::any_of(count.begin(), count.begin() + place, [](auto bit) { return bit != 0; });
    if (more || std::fmod(value, A{2}) != 0) value += 1;
  }
  value = std::ldexp(value, place + 1 + least);
  return negative ? -value : value;
}

/// The elements in four orders: as given, by rising and falling magnitude, and shuffled.
template <class T>
std::vector<std::vector<T>> orders_of(std::vector<T> x) {
  std::vector<std::vector<T>> orders{x};
  const auto magnitude = [&](const T& value) {
    return static_cast<detail::Bits<T>>(std::bit_cast<detail::Bits<T>>(value) << 1);
  };
  std::ranges::sort(x, {}, magnitude);
  orders.push_back(x);
  std::ranges::reverse(x);
  orders.push_back(x);
  std::mt19937_64 random(5);
  std::ranges::shuffle(x, random);
  orders.push_back(x);
  return orders;
}

}  // namespace ladder::tests
