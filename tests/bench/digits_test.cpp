#include <limits>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "bench/results/results.hpp"
#include "common/size_text.hpp"

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
  EXPECT_EQ(Statistics({1, 2}).median, 1.5);
}

TEST(Statistics, TakeTheMeanOfTheMiddleHalf) {
  EXPECT_EQ(Statistics({5}).midmean, 5);
  EXPECT_EQ(Statistics({1, 3}).midmean, 2);
  EXPECT_EQ(Statistics({100, 1, 3}).midmean, 3);
  EXPECT_EQ(Statistics({1, 2, 3, 4, 5, 6, 7, 100}).midmean, 4.5);
  // Two modes of nearly the same weight: the median is in one of them or in the other.
  std::vector<double> few(40, 6.6), many(40, 6.6);
  std::fill_n(few.begin(), 19, 7.6);
  std::fill_n(many.begin(), 21, 7.6);
  EXPECT_NEAR(Statistics(many).median - Statistics(few).median, 1, 1e-9);
  EXPECT_NEAR(Statistics(many).midmean - Statistics(few).midmean, 0.1, 1e-9);
}

TEST(Statistics, KnowHowSureTheMeanOfTheMiddleHalfIs) {
  // Winsorized to 3, 3, 3, 4, 5, 6, 6, 6 around 4.5: squares add up to 14; half of eight are kept.
  EXPECT_NEAR(Statistics({1, 2, 3, 4, 5, 6, 7, 8}).uncertainty,
              std::sqrt(14.0 / 7) * 2 / std::sqrt(8.0) / 4.5, 1e-12);
  // The middle one of three says nothing: all count, and their squares around 3 add up to 14.
  EXPECT_NEAR(Statistics({1, 2, 6}).uncertainty, std::sqrt(14.0 / 2 / 3) / 2, 1e-12);
}

TEST(Estimates, AreTheMedianTheMeanAndStudentsIntervalOfTheLogarithms) {
  const auto five = estimate(std::vector{1.00, 1.02, 0.98, 1.04, 1.01}, 0.5);
  EXPECT_EQ(five.median, 1.01);
  // From another program: log mean 0.0097542, standard deviation 0.0221464; t(4) = 2.776445.
  EXPECT_NEAR(five.mean, std::exp(0.0097542), 1e-6);
  EXPECT_NEAR(five.uncertainty, (1.03796 - 0.98241) / 2 / 1.0098, 1e-5);
}

TEST(Estimates, OfOneProcessKnowNothingOfTheNext) {
  const auto one = estimate(std::vector{2.0}, 0.25);
  EXPECT_EQ(one.median, 2);
  EXPECT_EQ(one.mean, 2);
  EXPECT_EQ(one.uncertainty, 0.25);
}

TEST(Estimates, TakeOnlyProcessesThatHaveTheValue) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto two = estimate(std::vector{1.0, std::nan(""), infinity, 0.0, 1.0, -infinity}, 0.25);
  EXPECT_EQ(two.median, 1);
  EXPECT_EQ(two.uncertainty, 0) << "and no longer that of one";
}

TEST(Estimates, FormQuotientsInEachProcess) {
  // Each process is slower than the one before, on both sides alike.
  const auto half = quotient(std::vector{1.0, 1.5, 2.0}, std::vector{2.0, 3.0, 4.0}, 0.25);
  EXPECT_EQ(half.mean, 0.5);
  EXPECT_EQ(half.uncertainty, 0);
  // The geometric mean is the same for either divisor; a median would ignore the third.
  const auto mean = quotient(std::vector{1.0, 1.0, 8.0}, std::vector{1.0, 1.0, 1.0}, 0.25);
  EXPECT_NEAR(mean.mean, 2, 1e-12);
}

TEST(Estimates, KnowStudentsDistribution) {
  EXPECT_NEAR(student(1), 12.7062, 1e-4);
  EXPECT_NEAR(student(4), 2.7764, 1e-4);
  EXPECT_NEAR(student(11), 2.2010, 2e-4);  // the first that is not from the table
  EXPECT_NEAR(student(30), 2.0423, 1e-4);
  EXPECT_NEAR(student(1000), 1.9623, 1e-4);
}

TEST(Statistics, WarrantNoMoreDigitsThanTheyKnow) {
  const auto text = [](const std::vector<double>& samples, double value) {
    return digits_text(value, Precision(Statistics(samples).uncertainty));
  };
  EXPECT_EQ(text({1.0}, 4552), "4600");
  EXPECT_EQ(digits_text(98.76, {Statistics({1.0}).uncertainty, 3}), "99");
  EXPECT_EQ(text({1.0, 1.0, 1.0}, 4552), "4552");
  EXPECT_EQ(text({1.0, 2.0, 3.0, 1.5, 2.5}, 4552), "4600");
}

TEST(Digits, AreThoseOfTheExamplesThatEveryProgramHolds) {
  std::istringstream examples(
#include "digits.inc"
  );
  std::string line, value, interval, most, expected;
  std::getline(examples, line);
  ASSERT_EQ(line, "value,interval,most,text");
  int count = 0;
  for (; std::getline(examples, line); ++count) {
    std::istringstream fields(line);
    std::getline(fields, value, ',');
    std::getline(fields, interval, ',');
    std::getline(fields, most, ',');
    std::getline(fields, expected);
    const double relative = interval.empty() ? 0 : std::stod(interval);
    EXPECT_EQ(digits_text(std::stod(value), {relative, std::stoi(most)}), expected) << line;
  }
  EXPECT_GT(count, 40);
}

TEST(Digits, ComeWithUnits) {
  EXPECT_EQ(seconds_text(1.2345e-5, {0, 3}), "12.3 µs");
  EXPECT_EQ(seconds_text(0.25, {0, 2}), "250 ms");
  EXPECT_EQ(seconds_text(1, {0, 3}), "1.00 s");
  EXPECT_EQ(seconds_text(1e-3, {0, 3}), "1.00 ms");
  EXPECT_EQ(seconds_text(1e-6, {0, 3}), "1.00 µs");
  EXPECT_EQ(size_text(1 << 30), "1 GiB");
  EXPECT_EQ(size_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(elements_text(std::size_t{1} << 28), "2^28");
  EXPECT_EQ(elements_text(1000), "1000");
}

}  // namespace
}  // namespace ladder::bench
