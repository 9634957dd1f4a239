#include "common/reference.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ladder {
namespace {

const std::vector<std::size_t> sizes{4097, 0, 1, 1000, (1 << 20) + 1, 1000};

/// Returns the references of an array's prefixes of these sizes.
template <class T>
std::vector<Reference> sums(const std::vector<T>& array, const std::vector<std::size_t>& of,
                            unsigned threads = 1) {
  constexpr Type type = sizeof(T) == sizeof(float) ? Type::f32 : Type::f64;
  return references({type, {Data::file, Operation::sum, 0}, array.data()}, Operation::sum, of,
                    threads);
}

TEST(References, ComeInTheOrderAsked) {
  const auto found = references({Type::i64, {}, nullptr}, Operation::sum, sizes, 3);
  ASSERT_EQ(found.size(), sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < sizes[k]; ++i) sum += element<std::int64_t>({}, i);
    EXPECT_EQ(found[k].n, sizes[k]);
    EXPECT_EQ(found[k].value.as<std::int64_t>(), sum);
  }
}

TEST(References, DoNotDependOnTheThreads) {
  for (const auto data : {Data::exact, Data::uniform, Data::normal}) {
    const Elements elements{Type::f32, {data, Operation::sum, 5}, nullptr};
    const auto one = references(elements, Operation::sum, sizes, 1);
    const auto four = references(elements, Operation::sum, sizes, 4);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      EXPECT_EQ(one[k].value, four[k].value);
      EXPECT_EQ(one[k].remainder, four[k].remainder);
    }
  }
}

TEST(References, AreTheIdentityOfNothing) {
  EXPECT_EQ(references({Type::f32, {}, nullptr}, Operation::sum, std::vector<std::size_t>{0}, 1)[0]
                .value.as<float>(),
            0);
  const Elements elements{Type::f32, {Data::exact, Operation::max, 1}, nullptr};
  EXPECT_EQ(
      references(elements, Operation::max, std::vector<std::size_t>{0}, 1)[0].value.as<float>(),
      -std::numeric_limits<float>::infinity());
}

TEST(References, SumARecipeAndItsArrayAlike) {
  // Two independent exact sums: 128-bit integers, and floating-point expansions.
  for (const auto data : {Data::uniform, Data::normal, Data::exact}) {
    const Recipe recipe{data, Operation::sum, 3};
    std::vector<float> array(100003);
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = element<float>(recipe, i);
    const std::vector<std::size_t> n{array.size()};
    const auto integers = references({Type::f32, recipe, nullptr}, Operation::sum, n, 1)[0];
    const auto expansion = sums(array, n, 2)[0];
    EXPECT_EQ(integers.value, expansion.value);
    EXPECT_EQ(integers.remainder, expansion.remainder);
    EXPECT_NEAR(integers.magnitudes, expansion.magnitudes, 1e-9 * integers.magnitudes);
  }
}

TEST(References, HoldSumsThatCancel) {
  const auto found = sums(std::vector{1e300, 1., -1e300, 1e-300}, {4})[0];
  EXPECT_EQ(found.value.as<double>(), 1);
  EXPECT_EQ(found.remainder, 1e-300);
}

TEST(References, FollowInfinitiesAndNaN) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto found = sums(std::vector{1., inf, -inf}, {2, 3});
  EXPECT_EQ(found[0].value.as<double>(), inf);
  EXPECT_TRUE(std::isnan(found[1].value.as<double>()));
}

TEST(References, AreInfiniteWhereTheTypeCannotHoldTheSum) {
  constexpr double most = std::numeric_limits<double>::max();
  const auto found = sums(std::vector{most, most, -most, -most, -most, -most}, {1, 2, 3, 4, 6});
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> expected{most, inf, most, 0, -inf};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(found[k].value.as<double>(), expected[k]) << k;
    EXPECT_EQ(found[k].remainder, 0) << k;
  }
  const std::vector<float> floats(3, std::numeric_limits<float>::max());
  EXPECT_EQ(sums(floats, {3})[0].value.as<float>(), std::numeric_limits<float>::infinity());
}

TEST(References, RefuseAFloatingProductThatChecksNothing) {
  EXPECT_THROW(references({Type::f32, {Data::uniform, Operation::product, 1}, nullptr},
                          Operation::product, sizes, 1),
               std::invalid_argument);
}

}  // namespace
}  // namespace ladder
