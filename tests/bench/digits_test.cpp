#include "bench/tell/digits.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "bench/tell/columns.hpp"
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

TEST(Statistics, WarrantNoMoreDigitsThanTheyKnow) {
  const auto text = [](const std::vector<double>& samples, double value) {
    return digits_text(value, Precision(Statistics(samples)));
  };
  EXPECT_EQ(text({1.0}, 4552), "4600");
  EXPECT_EQ(text({1.0, 1.0, 1.0}, 4552), "4552");
  EXPECT_EQ(text({1.0, 2.0, 3.0, 1.5, 2.5}, 4552), "4600");
  std::vector<double> steady;
  for (int i = 0; i < 100; ++i) steady.push_back(1 + 1e-3 * i);  // a median good to about 0.3 %
  EXPECT_EQ(text(steady, 4552), "4550");     // ± 15: the tens are the first uncertain digit
  EXPECT_EQ(text(steady, 1.0524), "1.052");  // ± 0.003
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
  EXPECT_EQ(size_text(1 << 30), "1 GiB");
  EXPECT_EQ(size_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(elements_text(std::size_t{1} << 28), "2^28");
  EXPECT_EQ(elements_text(1000), "1000");
  EXPECT_EQ(width("12 µs"), 5u);
}

}  // namespace
}  // namespace ladder::bench
