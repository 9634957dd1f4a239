// The definitions that serve as references for orders, and the tests' own exact sum.

#include "tests/orders.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "common/fixed_tree.hpp"

namespace ladder::tests {
namespace {

TEST(FixedTree, is_the_order_that_its_page_says) {
  using Sum = Function<Operation::sum, double>;
  constexpr FixedTree small{4, 2};  // chunks of eight
  std::vector<double> x(8 * 3 + 3);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t word = random_word(1, i);
    x[i] =
        random_sign(word) * std::ldexp(random_significand(word), static_cast<int>(word >> 1 & 31));
  }
  const auto chunk = [&](std::size_t c) {
    const double* e = &x[8 * c];
    return ((e[0] + e[4]) + (e[2] + e[6])) + ((e[1] + e[5]) + (e[3] + e[7]));
  };
  const double last = (x[24] + x[26]) + x[25];
  EXPECT_EQ(reduce_by<Sum>(small, x.data(), 8), chunk(0));
  EXPECT_EQ(reduce_by<Sum>(small, x.data(), 24), (chunk(0) + chunk(1)) + chunk(2));
  EXPECT_EQ(reduce_by<Sum>(small, x.data(), 27), (chunk(0) + chunk(1)) + (chunk(2) + last));
  EXPECT_EQ(depth_of(small, 27), 2U + 2 + 2);
  EXPECT_EQ(depth_of(small, 1), 1U);
}

/// Several devices may thus reduce whole subtrees, each by r28 or c11. Their number changes no bit.
TEST(FixedTree, is_its_whole_subtrees_joined) {
  using Sum = Function<Operation::sum, float>;
  constexpr FixedTree tree = fixed_tree<float>;
  constexpr std::size_t chunk = tree.chunk();
  const std::vector<float> x = rough<float>(Operation::sum, 37 * chunk + 5);
  const auto sum = [&](std::size_t first, std::size_t count) {
    return reduce_by<Sum>(tree, &x[first], count);
  };
  for (const std::size_t half : {chunk, 2 * chunk, 16 * chunk}) {
    for (const std::size_t rest : {std::size_t{1}, chunk - 1, half})
      EXPECT_EQ(sum(0, half + rest), sum(0, half) + sum(half, rest)) << half << " and " << rest;
  }
}

TEST(FixedTree, of_another_shape_has_other_bits) {
  using Sum = Function<Operation::sum, float>;
  constexpr FixedTree right = fixed_tree<float>;
  constexpr std::size_t sizes = 20, step = 1501;
  const std::vector<float> x = rough<float>(Operation::sum, sizes * step);
  for (const FixedTree& other : {FixedTree{64, 16}, FixedTree{256, 16}, FixedTree{128, 8},
                                 FixedTree{128, 32}, FixedTree{1, x.size()}}) {
    std::size_t differing = 0;
    for (std::size_t n = step; n <= x.size(); n += step) {
      if (reduce_by<Sum>(other, x.data(), n) != reduce_by<Sum>(right, x.data(), n)) ++differing;
    }
    EXPECT_GT(differing, sizes / 4) << other.lanes << " lanes, " << other.rows << " rows";
  }
}

TEST(ExactSum, of_the_tests_is_rounded_once) {
  EXPECT_EQ(exactly_rounded<double>(std::vector{1.0, 0x1p-53}), 1.0);
  EXPECT_EQ(exactly_rounded<double>(std::vector{1.0, 0x1p-53, 0x1p-1074}), 1.0 + 0x1p-52);
  EXPECT_EQ(exactly_rounded<double>(std::vector{-1.0 - 0x1p-52, -0x1p-53}), -1.0 - 0x1p-51);
  EXPECT_EQ(exactly_rounded<double>(std::vector{0x1p1023, 0x1p1023, -0x1p1023, 0x1p-1074}),
            0x1p1023);
  EXPECT_EQ(exactly_rounded<float>(std::vector{0x1.fffffep127F, 0x1p103F}),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(exactly_rounded<float>(std::vector{0x1.fffffep127F, 0x1p103F, -0x1p-149F}),
            0x1.fffffep127F);
  EXPECT_EQ(exactly_rounded<double>(std::vector{0x1p-1074, 0x1p-1074}), 0x1p-1073);
}

}  // namespace
}  // namespace ladder::tests
