#include "common/half.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace ladder {
namespace {

template <class T>
struct Stored : testing::Test {};
using Types = testing::Types<Half, Bfloat16>;
TYPED_TEST_SUITE(Stored, Types);

template <class T>
T of_bits(unsigned bits) {
  return std::bit_cast<T>(static_cast<std::uint16_t>(bits));
}

TYPED_TEST(Stored, EveryNumberIsItselfAfterBoth) {
  for (unsigned bits = 0; bits < 1U << 16; ++bits) {
    const auto value = of_bits<TypeParam>(bits);
    const auto again = TypeParam(static_cast<float>(value));
    if (std::isnan(static_cast<float>(value))) {
      ASSERT_TRUE(std::isnan(static_cast<float>(again))) << bits;
    } else {
      ASSERT_EQ(again.bits, bits) << static_cast<float>(value);
    }
  }
}

TYPED_TEST(Stored, NumbersInOrderAreOrdered) {
  const unsigned infinity = std::numeric_limits<TypeParam>::infinity().bits;
  for (unsigned bits = 0; bits < infinity; ++bits) {
    const auto low = static_cast<float>(of_bits<TypeParam>(bits));
    const auto high = static_cast<float>(of_bits<TypeParam>(bits + 1));
    ASSERT_LT(low, high) << bits;
    ASSERT_EQ(static_cast<float>(of_bits<TypeParam>(bits | 0x8000U)), -low);
  }
}

/// The midpoint of two neighbours rounds to the even one, values next to it to the nearer one.
TYPED_TEST(Stored, WhatLiesBetweenIsRoundedToNearestTiesToEven) {
  const unsigned infinity = std::numeric_limits<TypeParam>::infinity().bits;
  for (unsigned bits = 0; bits + 1 < infinity; ++bits) {
    const double low = static_cast<double>(of_bits<TypeParam>(bits));
    const double high = static_cast<double>(of_bits<TypeParam>(bits + 1));
    const auto middle = static_cast<float>((low + high) / 2);
    if (middle != (low + high) / 2) continue;  // below float's smallest number
    ASSERT_EQ(TypeParam(middle).bits, bits % 2 == 0 ? bits : bits + 1) << middle;
    ASSERT_EQ(TypeParam(std::nextafter(middle, 0.F)).bits, bits) << middle;
    ASSERT_EQ(TypeParam(std::nextafter(middle, HUGE_VALF)).bits, bits + 1) << middle;
    ASSERT_EQ(TypeParam(-middle).bits, TypeParam(middle).bits | 0x8000U) << middle;
  }
}

TYPED_TEST(Stored, WhatIsTooLargeIsInfinite) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::infinity()).bits, Limits::infinity().bits);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::max()).bits, Limits::infinity().bits);
  EXPECT_EQ(TypeParam(static_cast<float>(Limits::max())).bits, Limits::max().bits);
}

TYPED_TEST(Stored, NaNStaysNaN) {
  for (const float nan : {std::numeric_limits<float>::quiet_NaN(),
                          std::bit_cast<float>(0x7F800001U), std::bit_cast<float>(0xFFFFFFFFU)}) {
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(nan))));
    EXPECT_EQ(std::signbit(static_cast<float>(TypeParam(nan))), std::signbit(nan));
  }
}

}  // namespace
}  // namespace ladder
