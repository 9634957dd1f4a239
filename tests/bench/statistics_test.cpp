#include "bench/statistics.hpp"

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

TEST(Statistics, OfNothingAreNothing) {
  EXPECT_EQ(Statistics().count, 0u);
  EXPECT_TRUE(std::isnan(Statistics().median));
}

TEST(Statistics, TakeTheMedianAndPercentiles) {
  std::vector<double> values;
  for (int i = 100; i >= 0; --i) values.push_back(i);
  const Statistics statistics(values);
  EXPECT_EQ(statistics.median, 50);
  EXPECT_EQ(statistics.p5, 5);
  EXPECT_EQ(statistics.p95, 95);
  EXPECT_EQ(statistics.least, 0);
  EXPECT_EQ(Statistics({1, 2}).median, 1.5);
}

TEST(Statistics, WarrantNoMoreDigitsThanTheyKnow) {
  EXPECT_EQ(Statistics({1.0}).digits(4552), 2);
  EXPECT_EQ(Statistics({1.0, 1.0, 1.0}).digits(4552), 4);
  EXPECT_EQ(Statistics({1.0, 2.0, 3.0, 1.5, 2.5}).digits(4552), 2);
  std::vector<double> steady;
  for (int i = 0; i < 100; ++i) steady.push_back(1 + 1e-3 * i);  // a median good to about 0.3 %
  EXPECT_EQ(Statistics(steady).digits(4552), 3);   // ± 15: the tens are the first uncertain digit
  EXPECT_EQ(Statistics(steady).digits(1.052), 4);  // ± 0.003
}

}  // namespace
}  // namespace ladder::bench
