// include/ladder/kokkos/reduce.hpp as other code calls it, on each space of the build.

#include "tests/kokkos/calling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

namespace ladder::kokkos {

TYPED_TEST_SUITE(KokkosCalling, Spaces, Named);

std::vector<int> counted(std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 24) - 100;
  return values;
}

/// Around what one thread, one team, one pass of teams and several take.
const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all{0,    1,    3,     31,    33,     127,    1023,
                                            1025, 4096, 16385, 70001, 131073, 1000003};
  return all;
}

TYPED_TEST(KokkosCalling, adds_up_at_every_size_by_every_choice) {
  const auto values = counted(sizes().back() + 1);
  const auto x = this->on_device(values);
  const auto result = this->template place<std::int64_t>();
  std::vector<Choice> choices;
  for (const auto& known : instances) {
    for (const int per_unit : {Choice::alone, Choice::one_pass, 1, 3})
      choices.push_back({known.block, known.vectors, per_unit});
  }
  for (const std::size_t n : sizes()) {
    for (const std::size_t first :
         {std::size_t{0}, std::size_t{1}}) {  // aligned to 16 bytes, and not
      const auto* const from = values.data() + first;
      const auto expected = std::accumulate(from, from + n, std::int64_t{0});
      const int* const input = x.data() + first;
      EXPECT_EQ(this->reduced_to(result, input, n, result.data(), Sum{}, 0), expected) << n;
      for (const auto& choice : choices) {
        if (choice.per_unit == Choice::alone && n > 100000) continue;  // takes its time on a host
        EXPECT_EQ(this->reduced_to(result, input, n, result.data(), Sum{}, 0, choice), expected)
            << n << " by " << choice.block << " " << choice.vectors << " " << choice.per_unit;
      }
    }
  }
}

TYPED_TEST(KokkosCalling, has_minimum_and_maximum_in_which_a_NaN_wins_and_zeros_have_signs) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto result = this->template place<float>();
  std::vector<float> values(5000, 2.0F);
  values[4321] = -3.0F;
  values[17] = 7.0F;
  const auto plain = this->on_device(values);
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(this->reduced_to(result, plain, result, Minimum{}, inf), -3.0F);
  EXPECT_EQ(this->reduced_to(result, plain, result, Maximum{}, -inf), 7.0F);
  values[3000] = nan;
  const auto with_nan = this->on_device(values);
  ASSERT_TRUE(reduce(this->space(), this->workspace, with_nan, result, Minimum{}, inf));
  EXPECT_NE(this->got(result), this->got(result));
  std::vector<float> zeros(3000, 0.0F);
  zeros[1234] = -0.0F;
  const auto signs = this->on_device(zeros);
  ASSERT_TRUE(reduce(this->space(), this->workspace, signs, result, Minimum{}, inf));
  EXPECT_TRUE(std::signbit(this->got(result)));
  ASSERT_TRUE(reduce(this->space(), this->workspace, signs, result, Maximum{}, -inf));
  EXPECT_FALSE(std::signbit(this->got(result)));
}

struct Found {
  float value;
  int at;
};
struct Larger {
  KOKKOS_FUNCTION Found operator()(const Found& a, const Found& b) const {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.at < b.at ? a : b;
  }
};
struct Numbered {
  const float* x;
  KOKKOS_FUNCTION Found operator[](std::int64_t i) const { return {x[i], static_cast<int>(i)}; }
};

TYPED_TEST(KokkosCalling, takes_an_operation_an_accumulator_and_an_input_of_the_callers) {
  std::vector<float> values(1000000, 1.0F);
  values[123456] = values[654321] = 2.0F;
  const auto x = this->on_device(values);
  const auto result = this->template place<Found>();
  const Found none{-1.0F, 0};
  for (const std::size_t n : {std::size_t{1000}, values.size()}) {
    EXPECT_EQ(this->reduced_to(result, Numbered{x.data()}, n, result.data(), Larger{}, none).at,
              n == 1000 ? 0 : 123456);
  }
}

/// Twelve bytes: three words for each partial, and no size that a shuffle moves at once.
struct Moments {
  int count, sum, squares;
};
struct Together {
  KOKKOS_FUNCTION Moments operator()(const Moments& a, const Moments& b) const {
    return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
  }
};
struct Powers {
  const int* x;
  KOKKOS_FUNCTION Moments operator[](std::int64_t i) const { return {1, x[i], x[i] * x[i]}; }
};

TYPED_TEST(KokkosCalling, moves_accumulators_of_any_size) {
  std::vector<int> values(300001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i % 7) - 3;
  Moments expected{0, 0, 0};
  for (const int value : values) expected = Together{}(expected, {1, value, value * value});
  const auto x = this->on_device(values);
  const auto result = this->template place<Moments>();
  ASSERT_TRUE(reduce(this->space(), this->workspace, Powers{x.data()}, values.size(), result.data(),
                     Together{}, Moments{0, 0, 0}));
  const auto found = this->got(result);
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(found.sum, expected.sum);
  EXPECT_EQ(found.squares, expected.squares);
}

TYPED_TEST(KokkosCalling, finds_how_many_there_are_in_the_devices_memory) {
  const auto values = counted(300000);
  const auto x = this->on_device(values);
  const auto result = this->template place<int>();
  const auto expect = [&](auto n, int sum) {
    const auto count = this->template place<decltype(n)>();
    Kokkos::deep_copy(this->space(), count, n);
    const auto* const where = count.data();
    const int* const input = x.data();
    EXPECT_EQ(this->reduced_to(result, input, where, values.size(), result.data(), Sum{}, 0), sum)
        << n;
  };
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{70001}, values.size()}) {
    const int sum = std::accumulate(values.data(), values.data() + n, 0);
    expect(n, sum);
    expect(static_cast<int>(n), sum);
    expect(static_cast<unsigned long long>(n), sum);
  }
  expect(-3, 0);
}

TYPED_TEST(KokkosCalling, is_right_across_the_wrap_of_the_number_of_calls) {
  if constexpr (reduce_detail::on_host<TypeParam>) GTEST_SKIP() << "a host's calls have none";
  const auto values = counted(300000);
  const auto x = this->on_device(values);
  const auto expected = std::accumulate(values.begin(), values.end(), 0);
  const auto result = this->template place<int>();
  this->number_is(0xFFFFFFFE);
  for (int call = 0; call < 4; ++call) {
    Kokkos::deep_copy(this->space(), result, -1);
    EXPECT_EQ(this->reduced_to(result, x, result, Sum{}, 0), expected) << call;
  }
}

TYPED_TEST(KokkosCalling, makes_do_with_the_smallest_workspace_and_refuses_a_smaller_one) {
  this->made_with(2048);
  const auto values = counted(2000000);
  const auto x = this->on_device(values);
  const auto result = this->template place<int>();
  for (int call = 0; call < 2; ++call) {
    const int* const input = x.data();
    EXPECT_EQ(this->reduced_to(result, input, values.size(), result.data(), Sum{}, 0,
                               Choice{256, 1, Choice::one_pass}),
              std::accumulate(values.begin(), values.end(), 0));
  }
  Workspace refused;
  const Kokkos::View<std::uint64_t*, typename TypeParam::memory_space> words("too few", 2047);
  EXPECT_FALSE(make_workspace(&refused, this->space(), words));
  EXPECT_FALSE(reduce(this->space(), refused, x, result, Sum{}, 0));
}

TYPED_TEST(KokkosCalling, refuses_a_choice_for_which_there_is_no_kernel) {
  const auto x = this->on_device(counted(1000));
  const auto result = this->template place<int>();
  const int* const input = x.data();
  const bool launched = reduce(this->space(), this->workspace, input, 1000, result.data(), Sum{}, 0,
                               {128, 1, Choice::one_pass});
  EXPECT_EQ(launched, reduce_detail::on_host<TypeParam>) << "a host has one way, for any choice";
  this->space().fence();
}

}  // namespace ladder::kokkos
