// Tests the header's reduce() as user code calls it, in every model. LADDER_CALLING names the
// header of the model's fixture.

#include LADDER_CALLING

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <vector>

namespace ladder::LADDER_MODEL {

TYPED_TEST_SUITE(CallingOn, Spaces, Named);

/// Tests sizes near the capacity of one thread, one block or team, one pass of them, and several.
TYPED_TEST(CallingOn, adds_up_at_every_size_and_alignment_by_every_choice) {
  constexpr std::size_t most = 1000003;
  const auto values = counted(most + 3);
  const int* const x = this->on_device(values);
  for (const std::size_t n : std::initializer_list<std::size_t>{
           0,    1,    2,    3,     31,    33,     127,    128,    129,    1023, 1025,
           4095, 4096, 4097, 16385, 70001, 131071, 131073, 131077, 299997, most}) {
    for (const std::size_t past : {0U, 1U, 3U}) {
      const auto* const from = values.data() + past;
      const auto expected = std::accumulate(from, from + n, std::int64_t{0});
      EXPECT_EQ(this->reduced(x + past, n, Sum{}, std::int64_t{0}), expected) << n;
      for (const Choice& choice : this->choices()) {
        if (choice.per_unit == Choice::alone && n == most) continue;  // slow on a host
        const auto is_right = [&](auto zero) {
          EXPECT_EQ(this->reduced(x + past, n, Sum{}, zero, choice), expected)
              << n << " from " << past << ", block " << choice.block << ", " << choice.vectors
              << " vectors, " << choice.per_unit << " per unit";
        };
        is_right(0);
        is_right(std::int64_t{0});
      }
    }
  }
}

TYPED_TEST(CallingOn, minimum_and_maximum_keep_a_NaN_and_know_the_sign_of_a_zero) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (const std::size_t n : {std::size_t{100}, std::size_t{5000}, std::size_t{1} << 18}) {
    std::vector<float> values(n, 0.0F);
    values[n / 3] = -0.0F;
    EXPECT_EQ(bits(this->reduced(this->on_device(values), n, Minimum{}, 1.0F)), 0x80000000U);
    values.assign(n, -0.0F);
    values[n / 2] = 0.0F;
    EXPECT_EQ(bits(this->reduced(this->on_device(values), n, Maximum{}, -1.0F)), 0U);
    values[n / 4] = -3.0F;
    values[n / 7] = 7.0F;
    const float* x = this->on_device(values);
    EXPECT_EQ(this->reduced(x, n, Minimum{}, 1.0F), -3.0F);
    EXPECT_EQ(this->reduced(x, n, Maximum{}, -1.0F), 7.0F);
    values[n / 5] = std::numeric_limits<float>::quiet_NaN();
    x = this->on_device(values);
    EXPECT_TRUE(std::isnan(this->reduced(x, n, Minimum{}, 1.0F)));
    EXPECT_TRUE(std::isnan(this->reduced(x, n, Maximum{}, -1.0F)));
  }
}

struct Numbered {
  const float* x;
  LADDER_TEST_FUNCTION Pair operator[](std::int64_t i) const { return {x[i], static_cast<int>(i)}; }
};

TYPED_TEST(CallingOn, takes_an_iterator_an_operation_and_an_accumulator_of_the_callers) {
  std::vector<float> values(1000003, 1.0F);
  values[777777] = values[888888] = 2.0F;
  const Numbered x{this->on_device(values)};
  EXPECT_EQ(this->reduced(x, 1000, LargerPair{}, Pair{-1, 0}).index, 0);
  EXPECT_EQ(this->reduced(x, values.size(), LargerPair{}, Pair{-1, 0}).index, 777777);
}

/// 12 bytes for int: three words per partial, and no size that a shuffle moves in one step.
template <class Integer>
struct Moments {
  Integer count, sum, squares;
  bool operator==(const Moments&) const = default;
};
struct Joined {
  template <class M>
  LADDER_TEST_FUNCTION M operator()(const M& a, const M& b) const {
    return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
  }
};
template <class Integer>
struct Powers {
  const int* x;
  LADDER_TEST_FUNCTION Moments<Integer> operator[](std::int64_t i) const {
    return {1, x[i], x[i] * x[i]};
  }
};

/// 18 bytes: no whole words, and too many for a value of each thread in shared memory.
struct Nine {
  short at[9];
  LADDER_TEST_FUNCTION explicit Nine(int x) {
    for (int i = 0; i < 9; ++i) at[i] = static_cast<short>(x * (i + 1));
  }
  bool operator==(const Nine&) const = default;
};
struct AddNine {
  LADDER_TEST_FUNCTION Nine operator()(Nine a, const Nine& b) const {
    for (int i = 0; i < 9; ++i) a.at[i] = static_cast<short>(a.at[i] + b.at[i]);
    return a;
  }
};

TYPED_TEST(CallingOn, moves_accumulators_of_any_size) {
  std::vector<int> values(300001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i % 7) - 3;
  const int* const x = this->on_device(values);
  const auto is_right = [&]<class Integer>(Integer) {
    Moments<Integer> expected{0, 0, 0};
    for (const int value : values)
      expected = Joined{}(expected, Moments<Integer>{1, value, value * value});
    EXPECT_TRUE(this->reduced(Powers<Integer>{x}, values.size(), Joined{},
                              Moments<Integer>{0, 0, 0}) == expected);
  };
  is_right(int{});
  is_right(std::int64_t{});
  Nine nines(0);
  for (const int value : values) nines = AddNine{}(nines, Nine(value));
  EXPECT_TRUE(this->reduced(x, values.size(), AddNine{}, Nine(0)) == nines);
}

TYPED_TEST(CallingOn, finds_how_many_there_are_in_the_devices_memory) {
  const auto values = counted(300000);
  const int* const x = this->on_device(values);
  const auto expect = [&](auto n, int sum) {
    const auto* const count = this->on_device(std::vector{n});
    EXPECT_EQ(this->reduced(x, count, values.size(), Sum{}, 0), sum) << n;
  };
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{70001}, values.size()}) {
    const int sum = std::accumulate(values.data(), values.data() + n, 0);
    expect(n, sum);
    expect(static_cast<int>(n), sum);
    expect(static_cast<unsigned long long>(n), sum);
  }
  expect(-3, 0);  // a negative number of elements counts as 0
}

TYPED_TEST(CallingOn, takes_elements_of_eight_bytes_at_any_multiple_of_four) {
  for (std::size_t past = 0; past < 4; ++past) {
    for (const std::size_t n : {1U, 2U, 3U, 100U, 5000U, 100003U}) {
      std::vector<float> words(2 * n + past, 1.0F);
      words[past + 2 * (n / 2)] = 2.0F;
      for (std::size_t i = 0; i < n; ++i) {
        const int index = static_cast<int>(i);
        std::memcpy(&words[past + 2 * i + 1], &index, sizeof index);
      }
      const auto* const x = reinterpret_cast<const Pair*>(this->on_device(words) + past);
      EXPECT_EQ(this->reduced(x, n, LargerPair{}, Pair{-1, 0}).index, static_cast<int>(n / 2))
          << n << " from " << past;
    }
  }
}

TYPED_TEST(CallingOn, keeps_a_NaN_and_the_sign_of_a_zero_of_a_class_of_numbers) {
  const auto bits = [&](const std::vector<std::uint16_t>& upper, auto op, float identity) {
    const auto* const x = reinterpret_cast<const Number*>(this->on_device(upper));
    return this->reduced_by_one_kernel(x, upper.size(), op, Number(identity)).upper;
  };
  constexpr std::size_t n = 3000;
  for (std::size_t i = 0; i < 50; ++i) {
    const std::size_t at = i < 40 ? i : i * 271 % n;
    std::vector<std::uint16_t> upper(n, 0);
    upper[at] = 0x8000;
    EXPECT_EQ(bits(upper, Minimum{}, 1), 0x8000) << "-0 at " << at;
    upper.assign(n, 0x8000);
    upper[at] = 0;
    EXPECT_EQ(bits(upper, Maximum{}, -1), 0) << "+0 at " << at;
    upper[at] = 0x7FC0;
    EXPECT_EQ(bits(upper, Maximum{}, -1) & 0x7FC0, 0x7FC0) << "a NaN at " << at;
    EXPECT_EQ(bits(upper, Minimum{}, 1) & 0x7FC0, 0x7FC0) << "a NaN at " << at;
  }
}

TYPED_TEST(CallingOn, needs_no_default_constructor_and_no_more_than_an_order) {
  std::vector<int> numbers;  // two per Version
  for (int i = 0; i < 3000; ++i) numbers.insert(numbers.end(), {i % 7 + 1, i});
  const auto* const x = reinterpret_cast<const Version*>(this->on_device(numbers));
  for (const std::size_t n : {std::size_t{100}, std::size_t{3000}})
    EXPECT_EQ(this->reduced(x, n, Minimum{}, Version(99, 0)), Version(1, 0));
}

TYPED_TEST(CallingOn, takes_an_iterator_that_returns_a_place) {
  const Places<int> x{this->on_device(std::vector<int>(100001, 3))};
  EXPECT_EQ(this->reduced(x, 100001, Sum{}, 0.0), 3.0 * 100001);
}

TYPED_TEST(CallingOn, refuses_elements_counts_results_and_workspaces_that_are_nowhere) {
  constexpr std::size_t n = 100;
  const int* const x = this->on_device(counted(n));
  const int* const nothing = nullptr;
  int* const nowhere = nullptr;
  int* const to = this->template place<int>();
  EXPECT_FALSE(this->takes(this->workspace, nothing, n, to, Sum{}, 0));
  EXPECT_FALSE(this->takes(this->workspace, x, nothing, n, to, Sum{}, 0));
  EXPECT_FALSE(this->takes(this->workspace, x, n, nowhere, Sum{}, 0));
  EXPECT_FALSE(this->takes(Workspace{}, x, n, to, Sum{}, 0));
  EXPECT_EQ(this->template got<std::uint64_t>(), no_result) << "nothing is launched";
  EXPECT_EQ(this->reduced(nothing, 0, Minimum{}, 7), 7) << "no elements need no input";
}

}  // namespace ladder::LADDER_MODEL
