#include "common/operations.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "common/problem.hpp"

namespace ladder {
namespace {

template <class T>
using Max = Function<Operation::max, T>;
template <class T>
using Min = Function<Operation::min, T>;

TEST(Operations, IntegerSumsAndProductsWrapInsteadOfOverflowing) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ((Function<Operation::sum, std::int32_t>{}(most, 1)),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((Function<Operation::product, std::int32_t>{}(most, 2)), -2);
  constexpr auto most64 = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ((Function<Operation::product, std::int64_t>{}(most64, most64)), 1);
}

template <class T>
class FloatingSelection : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatingSelection, Floats);

TYPED_TEST(FloatingSelection, PropagatesNaNFromEitherSide) {
  const auto nan = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const TypeParam x : {TypeParam{1}, std::numeric_limits<TypeParam>::infinity(), nan}) {
    EXPECT_TRUE(std::isnan(Max<TypeParam>{}(x, nan)));
    EXPECT_TRUE(std::isnan(Max<TypeParam>{}(nan, x)));
    EXPECT_TRUE(std::isnan(Min<TypeParam>{}(x, nan)));
    EXPECT_TRUE(std::isnan(Min<TypeParam>{}(nan, x)));
  }
}

TYPED_TEST(FloatingSelection, OrdersTheZeros) {
  const TypeParam plus = 0, minus = -plus;
  EXPECT_FALSE(std::signbit(Max<TypeParam>{}(plus, minus)));
  EXPECT_FALSE(std::signbit(Max<TypeParam>{}(minus, plus)));
  EXPECT_TRUE(std::signbit(Min<TypeParam>{}(plus, minus)));
  EXPECT_TRUE(std::signbit(Min<TypeParam>{}(minus, plus)));
}

TYPED_TEST(FloatingSelection, HasInfinitiesForIdentities) {
  constexpr TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  for (const TypeParam x : {-infinity, std::numeric_limits<TypeParam>::lowest(), TypeParam{-1},
                            std::numeric_limits<TypeParam>::max(), infinity}) {
    EXPECT_EQ(Max<TypeParam>{}(Max<TypeParam>::identity(), x), x);
    EXPECT_EQ(Min<TypeParam>{}(x, Min<TypeParam>::identity()), x);
  }
}

TEST(Operations, EveryIdentityChangesNothing) {
  for (const auto& operation : operations) {
    with_operation(operation.operation, [&]<Operation op>() {
      using F = Function<op, std::int32_t>;
      for (const std::int32_t x : {-7, 0, 12345}) {
        EXPECT_EQ(F{}(F::identity(), x), x) << operation.name;
        EXPECT_EQ(F{}(x, F::identity()), x) << operation.name;
      }
    });
  }
}

TEST(Operations, TablesStandInTheOrderOfTheirEnumerators) {
  for (std::size_t i = 0; i < operations.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(operations[i].operation), i);
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(types[i].type), i);
    with_type(types[i].type, [&]<Type type>() { EXPECT_EQ(sizeof(native<type>), types[i].bytes); });
  }
}

struct NoQueue {};
template <class Case>
struct Copy {
  static void run(NoQueue&, const View<Case>& problem, const Tuning&) {
    *problem.result = static_cast<typename Case::accumulator>(problem.input[0]);
  }
};

TEST(Pick, FindsWhatTheListHoldsAndNothingElse) {
  const auto found = pick<NoQueue, Copy>(Classic{}, Type::f64, Operation::min);
  ASSERT_NE(found, nullptr);
  const double input = 3;
  double result = 0;
  NoQueue queue;
  found(queue, {&input, 1, Type::f64, Operation::min, &result}, {});
  EXPECT_EQ(result, 3);
  EXPECT_EQ((pick<NoQueue, Copy>(Classic{}, Type::f64, Operation::product)), nullptr);
  EXPECT_EQ((pick<NoQueue, Copy>(Everything{}, Type::f32, Operation::bit_xor)), nullptr);
  EXPECT_NE((pick<NoQueue, Copy>(Everything{}, Type::i32, Operation::bit_xor)), nullptr);
}

TEST(TypesOfABuild, AreThoseThatItsListNames) {
  for (const TypeFacts& one : types) {
    EXPECT_TRUE(names_type("", one.type)) << one.name;
    EXPECT_EQ(names_type("bf16:f32:i8", one.type),
              one.type == Type::bf16 || one.type == Type::f32 || one.type == Type::i8)
        << one.name;
    EXPECT_EQ(names_type("f16", one.type), one.type == Type::f16) << one.name;
  }
}

}  // namespace
}  // namespace ladder
