#include "common/check.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ladder {
namespace {

Reference uniform_sum(std::size_t n) {
  return references({Type::f32, {Data::uniform, Operation::sum, 1}, nullptr}, Operation::sum,
                    std::vector{n}, 1)[0];
}

TEST(Check, TakesExactResultsToTheBitOnly) {
  const Reference reference{4, Value::of(Type::f32, 12.0f), 0, 0};
  EXPECT_TRUE(check(Value::of(Type::f32, 12.0f), reference, false, 4).ok);
  const auto verdict =
      check(Value::of(Type::f32, std::nextafter(12.0f, 13.0f)), reference, false, 4);
  EXPECT_FALSE(verdict.ok);
  EXPECT_EQ(verdict.ulps, 0) << "of what is exact none are counted";
  EXPECT_EQ(check(reference.value, reference, false, 4).ulps, 0);
  EXPECT_NE(verdict.message.find("expected 12"), std::string::npos) << verdict.message;
  for (const bool rounds : {false, true}) {
    const auto other = check(Value::of(Type::f64, 12.0), reference, rounds, 4);
    EXPECT_FALSE(other.ok) << "of another type";
    EXPECT_EQ(other.ulps, 0) << "which there are none of";
  }
}

TEST(Check, TellsTheZerosApartAndTakesAnyNaN) {
  const Reference zero{1, Value::of(Type::f64, 0.0), 0, 0};
  EXPECT_FALSE(check(Value::of(Type::f64, -0.0), zero, false, 1).ok);
  const Reference nan{1, Value::of(Type::f64, std::nan("1")), 0, 0};
  EXPECT_TRUE(check(Value::of(Type::f64, -std::nan("2")), nan, false, 1).ok);
  EXPECT_TRUE(check(Value::of(Type::f64, -std::nan("2")), nan, true, 1).ok);
  EXPECT_FALSE(check(Value::of(Type::f64, 1.0), nan, true, 1).ok);
}

TEST(Check, AllowsOfNaNAndOfZerosWhatIsDeclaredToBeOpen) {
  const Reference nan{3, Value::of(Type::f32, std::nanf("")), 0, 0};
  const auto open = check_left_open(Value::of(Type::f32, 3.0F), nan);
  EXPECT_TRUE(open.ok);
  EXPECT_TRUE(open.left_open);
  EXPECT_EQ(open.ulps, 0);
  EXPECT_FALSE(check_left_open(Value::of(Type::f32, std::nanf("")), nan).left_open);
  EXPECT_FALSE(check_left_open(Value::of(Type::f64, 3.0), nan).ok);
  const Reference zero{3, Value::of(Type::f32, -0.0F), 0, 0};
  EXPECT_TRUE(check_left_open(Value::of(Type::f32, 0.0F), zero).left_open);
  EXPECT_FALSE(check_left_open(Value::of(Type::f32, 1.0F), zero).ok);
  const Reference one{3, Value::of(Type::f32, 1.0F), 0, 0};
  EXPECT_FALSE(check_left_open(Value::of(Type::f32, 2.0F), one).ok);
  EXPECT_FALSE(check_left_open(Value::of(Type::f32, std::nanf("")), one).ok);

  EXPECT_TRUE(leaves_open(nan_unspecified | atomic_updates, Type::f16, Operation::max));
  EXPECT_FALSE(leaves_open(atomic_updates, Type::f32, Operation::max));
  EXPECT_FALSE(leaves_open(nan_unspecified, Type::f32, Operation::sum));
  EXPECT_FALSE(leaves_open(nan_unspecified, Type::i32, Operation::min));
}

TEST(Check, AllowsRoundingWithinTheBoundOfTheDepth) {
  const std::size_t n = 4096;
  const auto reference = uniform_sum(n);
  float serial = 0;
  for (std::size_t i = 0; i < n; ++i)
    serial += element<float>({Data::uniform, Operation::sum, 1}, i);
  EXPECT_TRUE(check(Value::of(Type::f32, serial), reference, true, n).ok);
  const double bound = 20 * 0x1p-24 * reference.magnitudes;  // a tree of depth 20
  const auto past = static_cast<float>(reference.value.number() + 1.1 * bound);
  EXPECT_FALSE(check(Value::of(Type::f32, past), reference, true, 20).ok);
  const auto within = static_cast<float>(reference.value.number() + 0.9 * bound);
  const auto verdict = check(Value::of(Type::f32, within), reference, true, 20);
  EXPECT_TRUE(verdict.ok);
  EXPECT_GT(verdict.ulps, 0);
}

TEST(Check, TellsTheErrorInUnitsOfTheExactResultsLastPlace) {
  const Reference reference{4, Value::of(Type::f32, 1.0F), 0x1p-26, 1};  // exactly 1 + 2^-26
  const auto ulps = [&](float got) {
    return check(Value::of(Type::f32, got), reference, true, 20).ulps;
  };
  EXPECT_EQ(ulps(1.0F), 0.125);
  EXPECT_EQ(ulps(std::nextafter(1.0F, 2.0F)), 0.875);
  const Reference zero{4, Value::of(Type::f32, 0.0F), 0, 4};  // its last place counts as that of 1
  EXPECT_EQ(check(Value::of(Type::f32, 0x1p-22F), zero, true, 4).ulps, 2);
}

TEST(Check, NeverTakesZeroTenTimesTheResultOrNaN) {
  const std::size_t n = 1 << 20;
  const auto reference = uniform_sum(n);
  for (const std::size_t depth : {std::size_t{20}, n, n * 1000}) {
    EXPECT_FALSE(check(Value::of(Type::f32, static_cast<float>(reference.value.number() * 10)),
                       reference, true, depth)
                     .ok);
    EXPECT_FALSE(check(Value::of(Type::f32, std::nanf("")), reference, true, depth).ok);
    EXPECT_FALSE(
        check(Value::of(Type::f32, std::numeric_limits<float>::infinity()), reference, true, depth)
            .ok);
  }
  EXPECT_FALSE(check(Value::of(Type::f32, 0.0f), reference, true, n).ok);
}

TEST(Check, SaysWhereItsBoundIsVacuous) {
  const auto reference = uniform_sum(1000);
  EXPECT_FALSE(check(reference.value, reference, true, 1000).vacuous);
  EXPECT_TRUE(check(reference.value, reference, true, 200000).vacuous);
}

TEST(Check, AllowsWhatOverflowsOnTheWayAndSaysThatThisChecksNothing) {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto sum_of = [](const std::vector<double>& array) {
    return references({Type::f64, {Data::file, Operation::sum, 0}, array.data()}, Operation::sum,
                      std::vector{array.size()}, 1)[0];
  };
  const auto verdict = [](const Reference& reference, double got) {
    return check(Value::of(Type::f64, got), reference, true, 2);
  };
  const Reference cancels = sum_of({most, most, -most, -most});  // 0, inf or NaN, by the order
  for (const double got : {0.0, inf, -inf, std::nan("")}) {
    EXPECT_TRUE(verdict(cancels, got).ok) << got;
    EXPECT_TRUE(verdict(cancels, got).vacuous) << got;
    EXPECT_EQ(verdict(cancels, got).ulps, 0) << got;
  }
  const Reference largest = sum_of({most});  // of one element, without an addition
  EXPECT_TRUE(check(largest.value, largest, true, 0).ok);
  EXPECT_FALSE(check(Value::of(Type::f64, inf), largest, true, 0).ok);
  const Reference past = sum_of({most, most});
  EXPECT_TRUE(verdict(past, inf).ok);
  EXPECT_FALSE(verdict(past, most).ok);
  const Reference infinite = sum_of({1, inf});  // no overflow: exact to the bit
  EXPECT_TRUE(verdict(infinite, inf).ok);
  EXPECT_FALSE(verdict(infinite, inf).vacuous);
  EXPECT_FALSE(verdict(infinite, -inf).ok);
  EXPECT_FALSE(verdict(infinite, std::nan("")).ok);
}

TEST(Value, PrintsAllItsDigits) {
  EXPECT_EQ(Value::of(Type::i64, std::numeric_limits<std::int64_t>::min()).text(),
            "-9223372036854775808");
  EXPECT_EQ(Value::of(Type::f32, 16777217.0f).text(), "16777216");
  EXPECT_EQ(Value::of(Type::f64, 0.1).text(), "0.10000000000000001");
}

}  // namespace
}  // namespace ladder
