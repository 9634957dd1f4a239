#include "common/data.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "common/problem.hpp"
#include "common/reference.hpp"

namespace ladder {
namespace {

constexpr std::size_t many = 1 << 16;

template <class F>
void for_each_exact(F f) {
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (operation.integers_only && !type.integer) continue;
      with_type(type.type, [&]<Type t>() {
        SCOPED_TRACE(std::string(type.name) + " " + std::string(operation.name));
        f.template operator()<t>(type, operation);
      });
    }
  }
}

TEST(ExactData, HasNeighboursThatDiffer) {
  for_each_exact([]<Type t>(const TypeFacts& type, const OperationFacts& operation) {
    using T = native<t>;
    if (operation.operation == Operation::product && !type.integer)
      return;  // mostly ±1: neighbours may be equal
    for (const std::uint64_t seed : {1u, 2u, 99u}) {
      const Recipe recipe{Data::exact, operation.operation, seed};
      for (std::size_t i = 0; i + 1 < many; ++i)
        ASSERT_NE(static_cast<Computed<T>>(element<T>(recipe, i)),
                  static_cast<Computed<T>>(element<T>(recipe, i + 1)))
            << i;
    }
  });
}

TEST(ExactData, ChangesTheResultWithEachElement) {
  for_each_exact([]<Type t>(const TypeFacts& type, const OperationFacts& operation) {
    using T = native<t>;
    if (plants(operation.operation)) return;  // the planted element decides the result
    const Recipe recipe{Data::exact, operation.operation, 1};
    for (std::size_t i = 0; i < many; ++i) {
      const auto x = static_cast<Computed<T>>(element<T>(recipe, i));
      if (operation.operation == Operation::product && !type.integer) {
        ASSERT_TRUE(std::abs(x) == 1 || std::abs(x) == 2 || 2 * std::abs(x) == 1);
      } else {
        ASSERT_NE(x, (operation.operation == Operation::product ? 1 : 0));
      }
    }
  });
}

TEST(ExactData, KeepsSumsWhereFloatHoldsThem) {
  const Recipe recipe{Data::exact, Operation::sum, 1};
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < std::size_t{1} << 22; ++i) {
    const auto x = element<float>(recipe, i);
    ASSERT_GE(std::abs(x), 1);
    ASSERT_LE(std::abs(x), 63);
    sum += x;
    most = std::max(most, std::abs(sum));
  }
  EXPECT_LT(most, 0x1p24 / 16);  // a random walk: 2^30 elements walk sixteen times as far as 2^22
}

TEST(ExactData, DriftsInNoStridedChain) {
  const Recipe recipe{Data::exact, Operation::sum, 1};
  constexpr std::size_t n = std::size_t{1} << 22;
  for (const std::size_t stride : {1u, 2u, 3u, 4u, 8u, 64u}) {
    for (std::size_t start = 0; start < std::min<std::size_t>(stride, 8); ++start) {
      std::int64_t sum = 0;
      for (std::size_t i = start; i < n; i += stride) {
        sum += integer_element<float>(recipe, i);
      }
      // Six standard deviations of a walk without drift.
      EXPECT_LT(std::abs(static_cast<double>(sum)), 6 * 37 * std::sqrt(n / stride))
          << stride << " " << start;
    }
  }
}

// The faulty rungs run at some thousands of sizes (tests/faults_test.cpp). This test verifies,
// without running them, that the data exposes their faults at every size. Exact data is compared to
// the bit, so any fault that changes the sum is detected.
TEST(ExactData, ShowsEachFaultAtEverySize) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const Recipe recipe{Data::exact, Operation::sum, 1}, next{Data::exact, Operation::sum, 2};
  std::int64_t sum = 0, sum_of_next_seed = 0, tail = 0;
  std::size_t zeros = 0;
  for (std::size_t n = 1; n <= most; ++n) {
    const std::int64_t last = integer_element<float>(recipe, n - 1);
    sum += last;
    sum_of_next_seed += integer_element<float>(next, n - 1);
    tail = n % 4 == 1 ? last : tail + last;
    ASSERT_NE(last, 0) << "dropped or taken twice, at " << n;
    ASSERT_NE(last, integer_element<float>(recipe, n)) << "a neighbour's in its place, at " << n;
    ASSERT_TRUE(n % 4 == 0 || tail != 0) << "the tail of a vector ignored, at " << n;
    ASSERT_NE(guard_element<float>(Operation::sum), 0) << "one read past the end";
    // A zero sum would hide a missing or tenfold result: such a seed is replaced by the next.
    if (sum == 0) {
      ++zeros;
      ASSERT_NE(sum_of_next_seed, 0) << n;
    }
  }
  EXPECT_LT(zeros, 1000U);
}

/// Holds for any elements in any order: all factors of 2 together, or all of 1/2, keep the product
/// within float's range, and above the range in which float is not exact.
TEST(ExactData, KeepsTheFloatingProductOfAnySubsetExact) {
  for (const std::uint64_t seed : {1U, 2U, 99U}) {
    const Recipe recipe{Data::exact, Operation::product, seed};
    int doubles = 0, halves = 0;
    const auto count = [&](std::uint64_t i) {
      const double x = std::abs(element<float>(recipe, i));
      ASSERT_TRUE(x == 1 || x == 2 || x == 0.5) << i;
      doubles += x == 2 ? 1 : 0;
      halves += x == 0.5 ? 1 : 0;
    };
    constexpr std::uint64_t all = std::uint64_t{1} << 22;
    for (std::uint64_t i = 0; i < all; ++i) count(i);
    EXPECT_EQ(doubles, 2 * (22 - 2));
    EXPECT_EQ(halves, 2 * (22 - 2));
  }
  // Each further octave adds two factors of each kind, up to 2^33 elements.
  EXPECT_LT(2 * (33 - 2), 126);
}

TEST(ExactData, HasFactorsInEveryQuarterOfAnOctave) {
  const Recipe recipe{Data::exact, Operation::product, 1};
  for (std::uint64_t quarter = 1; quarter <= std::uint64_t{1} << 18; quarter *= 2) {
    for (std::uint64_t part = 4; part < 8; ++part) {
      int factors = 0;
      for (std::uint64_t i = part * quarter; i < (part + 1) * quarter; ++i)
        factors += std::abs(element<float>(recipe, i)) != 1 ? 1 : 0;
      ASSERT_EQ(factors, 1) << part << " times " << quarter;
    }
  }
}

TEST(ExactData, IsDecidedByThePlantedElementWhereverItStands) {
  for_each_exact([]<Type t>(const TypeFacts& type, const OperationFacts& operation) {
    if (!plants(operation.operation)) return;
    const Recipe recipe{Data::exact, operation.operation, 1};
    const std::size_t n = 1000;
    const auto plain =
        references({type.type, recipe, nullptr}, operation.operation, std::vector{n}, 1)[0];
    for (std::size_t place = 0; place < n; ++place) {
      const auto planted = with_planted(plain, type.type, recipe, place);
      ASSERT_FALSE(planted.value == plain.value) << place;
      ASSERT_NE(planted.value.number(), 0);
      ASSERT_NE(plain.value.number(), 0);
    }
  });
}

TEST(ExactData, HasGuardsThatWouldShow) {
  for_each_exact([]<Type t>(const TypeFacts& type, const OperationFacts& operation) {
    using T = native<t>;
    with_operation(operation.operation, [&]<Operation op>() {
      if constexpr (std::is_integral_v<T> || !facts(op).integers_only) {
        const Recipe recipe{Data::exact, op, 1};
        auto reference =
            references({type.type, recipe, nullptr}, op, std::vector<std::size_t>{777}, 1)[0];
        if (plants(op)) reference = with_planted(reference, type.type, recipe, 5);
        using A = typename Case<t, op>::accumulator;
        const A right = reference.value.as<A>(), guard = static_cast<A>(guard_element<T>(op));
        const typename Case<t, op>::function combine;
        EXPECT_FALSE(Value::of(reference.value.type, combine(right, guard)) == reference.value);
      }
    });
  });
}

TEST(RealData, IsWhereItsNameSays) {
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const auto u = element<double>({Data::uniform, Operation::sum, 1}, i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    const double x = element<float>({Data::normal, Operation::sum, 1}, i);
    mean += x / many;
    square += x * x / many;
  }
  EXPECT_NEAR(mean, 0, 0.02);
  EXPECT_NEAR(square, 1, 0.03);
}

TEST(Data, IsAFunctionOfSeedAndIndexAlone) {
  // Bits that must not change: committed records name only the seed.
  EXPECT_EQ(random_word(1, 0), 0x910a2dec89025cc1u);
  EXPECT_NE(random_word(1, 0), random_word(2, 0));
  EXPECT_EQ(element<float>({Data::exact, Operation::sum, 1}, 0), 49);
  EXPECT_EQ(element<std::int32_t>({Data::exact, Operation::product, 1}, 0), 173);
}

TEST(Place, LiesInsideForEverySize) {
  for (const auto place : {Place::first, Place::last, Place::tail, Place::edge, Place::random}) {
    for (std::size_t n = 1; n < 3000; ++n) ASSERT_LT(index_of(place, n, 256, 1), n) << name(place);
  }
  EXPECT_EQ(index_of(Place::tail, 1003, 0, 1), 1000u);
  EXPECT_EQ(index_of(Place::edge, 1024, 256, 1) % 256, 255u);
}

}  // namespace
}  // namespace ladder
