// The definition that serves as reference for the rungs of a fixed order.

#include "tests/orders.hpp"

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

}  // namespace
}  // namespace ladder::tests
