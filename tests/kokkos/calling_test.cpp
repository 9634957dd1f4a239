// What include/ladder/kokkos/reduce.hpp alone has, on each space of the build.

#include "tests/kokkos/calling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ladder::kokkos {

template <class S>
class KokkosCalling : public CallingOn<S> {};
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
  const int* const x = this->on_device(values);
  std::vector<Choice> choices;
  for (const auto& known : instances) {
    for (const int per_unit : {Choice::alone, Choice::one_pass, 1, 3})
      choices.push_back({known.block, known.vectors, per_unit});
  }
  for (const std::size_t n : sizes()) {
    for (const std::size_t first : {0U, 1U}) {  // aligned to 16 bytes, and not
      const auto* const from = values.data() + first;
      const auto expected = std::accumulate(from, from + n, std::int64_t{0});
      EXPECT_EQ(this->reduced(x + first, n, Sum{}, std::int64_t{0}), expected) << n;
      for (const auto& choice : choices) {
        if (choice.per_unit == Choice::alone && n > 100000) continue;  // takes its time on a host
        EXPECT_EQ(this->reduced(x + first, n, Sum{}, std::int64_t{0}, choice), expected)
            << n << " by " << choice.block << " " << choice.vectors << " " << choice.per_unit;
      }
    }
  }
}

TYPED_TEST(KokkosCalling, is_right_across_the_wrap_of_the_number_of_calls) {
  if constexpr (reduce_detail::on_host<TypeParam>) GTEST_SKIP() << "a host's calls have none";
  const auto values = counted(300000);
  const int* const x = this->on_device(values);
  this->number_is(0xFFFFFFFE);
  for (int call = 0; call < 4; ++call)
    EXPECT_EQ(this->reduced(x, values.size(), Sum{}, 0),
              std::accumulate(values.begin(), values.end(), 0))
        << call;
}

TYPED_TEST(KokkosCalling, makes_do_with_the_smallest_workspace_and_refuses_a_smaller_one) {
  this->made_with(2048);
  const auto values = counted(2000000);
  const int* const x = this->on_device(values);
  const Choice choice{256, 1, Choice::one_pass};
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(this->reduced(x, values.size(), Sum{}, 0, choice),
              std::accumulate(values.begin(), values.end(), 0));
  const Kokkos::View<std::uint64_t*, typename TypeParam::memory_space> words("too few", 2047);
  EXPECT_FALSE(make_workspace(&this->workspace, this->space(), words));
}

TYPED_TEST(KokkosCalling, refuses_a_choice_for_which_there_is_no_kernel) {
  const int* const x = this->on_device(counted(1000));
  const bool launched = reduce(this->space(), this->workspace, x, 1000, this->template place<int>(),
                               Sum{}, 0, {128, 1, Choice::one_pass});
  EXPECT_EQ(launched, reduce_detail::on_host<TypeParam>) << "a host has one way, for any choice";
  this->space().fence();
}

TYPED_TEST(KokkosCalling, refuses_elements_counts_and_results_that_are_nowhere) {
  const int* const x = this->on_device(std::vector<int>(100, 1));
  const int* const nothing = nullptr;
  int* const to = this->template place<int>();
  EXPECT_TRUE(this->refuses(nothing, 100, Sum{}, 0));
  EXPECT_FALSE(
      reduce(this->space(), this->workspace, x, 100, static_cast<int*>(nullptr), Sum{}, 0));
  EXPECT_FALSE(reduce(this->space(), this->workspace, x, nothing, 100, to, Sum{}, 0));
  EXPECT_FALSE(reduce(this->space(), Workspace{}, x, 100, to, Sum{}, 0));
  EXPECT_EQ(this->reduced(nothing, 0, Minimum{}, 7), 7);
}

TYPED_TEST(KokkosCalling, takes_a_View_whose_extent_is_in_its_type) {
  const Kokkos::View<int[1000], typename TypeParam::memory_space> x("x");
  Kokkos::deep_copy(x, 2);
  const Kokkos::View<int, typename TypeParam::memory_space> result("result");
  ASSERT_TRUE(reduce(this->space(), this->workspace, x, result, Sum{}, 0));
  this->space().fence();
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result)(), 2000);
}

TYPED_TEST(KokkosCalling, adds_up_and_compares_long_doubles_and_bools) {
  if constexpr (reduce_detail::on_host<TypeParam>) {
    const auto* const x = this->on_device(std::vector<long double>(1000, 2.5L));
    EXPECT_EQ(this->reduced(x, 1000, Minimum{}, 9.0L), 2.5L);
  }
  const auto* const bytes = this->on_device(std::vector<unsigned char>(1000, 1));
  EXPECT_TRUE(this->reduced(reinterpret_cast<const bool*>(bytes), 1000, Sum{}, false));
}

}  // namespace ladder::kokkos
