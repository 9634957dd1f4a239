// Compares the exact sum of c12 and r29, and its rounding, with a sum that counts each bit of each
// element.

#include "common/exact_sum.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "common/model/exact.hpp"
#include "common/model/queue.hpp"
#include "tests/orders.hpp"

namespace ladder {
namespace {

static_assert(exact::copies * exact::stride <= WorkMemory::most_digits);

template <class A, class T>
void expect_same_bits(A got, const std::vector<T>& x, const std::string& what) {
  using Bits = detail::Bits<A>;
  const A expected = tests::exactly_rounded<A>(x);
  EXPECT_EQ(std::bit_cast<Bits>(got), std::bit_cast<Bits>(expected))
      << what << ": " << got << " and not " << expected;
}

TEST(ExactSum, has_the_bits_of_the_exact_sum_in_double_and_in_float) {
  for (const std::size_t n : {1U, 2U, 3U, 100U, 1001U}) {
    for (const auto& [what, x] : tests::hostile<double>(n)) {
      ExactSum sum;
      for (const double element : x) sum.add(element);
      expect_same_bits(sum.rounded<double>(), x, what);
    }
    for (const auto& [what, x] : tests::hostile<float>(n)) {
      ExactSum sum, half;
      for (std::size_t i = 0; i < n; ++i) (i % 3 == 0 ? half : sum).add(static_cast<double>(x[i]));
      sum += half;
      expect_same_bits(sum.rounded<float>(), x, what);
    }
  }
}

/// Integers of 192 bits at any place, with ones in the bits that decide rounding.
TEST(ExactSum, rounds_wide_integers_once) {
  const auto bits = [](int i, std::uint64_t word) -> std::uint64_t {
    switch (word % 4) {
      case 0:
        return 0;
      case 1:
        return ~std::uint64_t{0};
      case 2:
        return std::uint64_t{1} << (word >> 8 & 63);
      default:
        return random_word(5, static_cast<std::uint64_t>(i));
    }
  };
  for (int i = 0; i < 4000; ++i) {
    exact::Wide wide{};
    for (unsigned k = 0; k < 3; ++k)
      wide.word[k] = bits(i, random_word(6 + k, static_cast<std::uint64_t>(i)));
    wide.word[2] = static_cast<std::uint64_t>(static_cast<std::int64_t>(wide.word[2]) >> (i % 60));
    const int place = -1074 + i % 1900;
    std::int64_t digits[exact::digits] = {};
    exact::add(digits, wide, place);
    const double by_digits = exact::rounded<double>(digits);
    const double got = exact::rounded<double>(wide, place);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(by_digits)) << i;
  }
}

TEST(ExactSum, of_windows_is_that_of_both) {
  const std::int64_t sums[][2] = {{1, -1},
                                  {-5, 3},
                                  {std::int64_t{1} << 61, -(std::int64_t{1} << 61)},
                                  {-(std::int64_t{1} << 61), 7},
                                  {0, -1},
                                  {-1, 0}};
  for (const auto& sum : sums) {
    for (const int place : {-1027, -100, 0, 700}) {
      std::vector<double> x;
      for (int w = 0; w < 2; ++w)
        x.push_back(std::ldexp(static_cast<double>(sum[w]), place - w * exact::apart));
      expect_same_bits(exact::rounded<double>(exact::wide(sum, 0), place - exact::apart), x,
                       "sums");
    }
  }
}

TEST(ExactSum, is_decided_by_what_is_not_finite) {
  float value = 0;
  EXPECT_FALSE(exact::decided(exact::in_digits, value));
  EXPECT_TRUE(exact::decided(exact::infinity, value));
  EXPECT_EQ(value, std::numeric_limits<float>::infinity());
  EXPECT_TRUE(exact::decided(exact::minus_infinity | exact::in_digits, value));
  EXPECT_EQ(value, -std::numeric_limits<float>::infinity());
  for (const std::uint64_t seen : {4U, 3U, 5U, 7U}) {
    EXPECT_TRUE(exact::decided(seen, value));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0x7FC00000U);
  }
}

}  // namespace
}  // namespace ladder
