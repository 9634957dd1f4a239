// What the elements, accumulators and inputs of the header for Kokkos may be.

#include "tests/elements.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/kokkos/calling.hpp"

namespace ladder::kokkos {

template <>
inline constexpr bool is_floating<Number> = true;

template <class S>
class KokkosElements : public KokkosCalling<S> {};
TYPED_TEST_SUITE(KokkosElements, Spaces, Named);

TYPED_TEST(KokkosElements, of_eight_bytes_may_lie_at_any_multiple_of_four) {
  const auto result = this->template place<Pair>();
  for (std::size_t past = 0; past < 4; ++past) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{100003}}) {
      std::vector<float> words(2 * n + past, 1.0F);
      words[past + 2 * (n / 2)] = 2.0F;
      for (std::size_t i = 0; i < n; ++i) {
        const int index = static_cast<int>(i);
        std::memcpy(&words[past + 2 * i + 1], &index, sizeof index);
      }
      const auto there = this->on_device(words);
      const auto* const x = reinterpret_cast<const Pair*>(there.data() + past);
      const Pair none{-1, 0};
      EXPECT_EQ(this->reduced_to(result, x, n, result.data(), LargerPair{}, none).index,
                static_cast<int>(n / 2));
    }
  }
}

TYPED_TEST(KokkosElements, that_are_a_class_of_numbers_keep_a_nan_and_the_sign_of_a_zero) {
  const auto result = this->template place<Number>();
  const auto bits = [&](const std::vector<std::uint16_t>& upper, auto op, float identity) {
    const auto there = this->on_device(upper);
    const auto* const x = reinterpret_cast<const Number*>(there.data());
    return this->reduced_to(result, x, upper.size(), result.data(), op, Number(identity)).upper;
  };
  for (std::size_t at = 0; at < 3000; at += 271) {
    std::vector<std::uint16_t> upper(3000, 0);
    upper[at] = 0x8000;
    EXPECT_EQ(bits(upper, Minimum{}, 1), 0x8000) << "-0 at " << at;
    upper.assign(3000, 0x8000);
    upper[at] = 0;
    EXPECT_EQ(bits(upper, Maximum{}, -1), 0) << "+0 at " << at;
    upper[at] = 0x7FC0;
    EXPECT_EQ(bits(upper, Maximum{}, -1) & 0x7FC0, 0x7FC0) << "a NaN at " << at;
    EXPECT_EQ(bits(upper, Minimum{}, 1) & 0x7FC0, 0x7FC0) << "a NaN at " << at;
  }
}

TYPED_TEST(KokkosElements, need_no_default_constructor_and_no_more_than_an_order) {
  std::vector<int> numbers;  // two to a version
  for (int i = 0; i < 3000; ++i) numbers.insert(numbers.end(), {i % 7 + 1, i});
  const auto there = this->on_device(numbers);
  const auto* const x = reinterpret_cast<const Version*>(there.data());
  const auto found = this->on_device(std::vector<int>(2));
  auto* const result = reinterpret_cast<Version*>(found.data());
  ASSERT_TRUE(reduce(this->space(), this->workspace, x, 3000, result, Minimum{}, Version(99, 0)));
  this->space().fence();
  const auto got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
  EXPECT_EQ(got(0), 1);
  EXPECT_EQ(got(1), 0);
}

TYPED_TEST(KokkosElements, may_come_from_an_iterator_that_returns_a_place) {
  std::vector<int> values(100001, 3);
  const auto there = this->on_device(values);
  const auto result = this->template place<double>();
  EXPECT_EQ(
      this->reduced_to(result, Places<int>{there.data()}, values.size(), result.data(), Sum{}, 0.0),
      3.0 * 100001);
}

TYPED_TEST(KokkosElements, may_be_of_a_View_whose_extent_is_in_its_type) {
  const Kokkos::View<int[1000], typename TypeParam::memory_space> x("x");
  Kokkos::deep_copy(x, 2);
  const auto result = this->template place<int>();
  EXPECT_EQ(this->reduced_to(result, x, result, Sum{}, 0), 2000);
}

TYPED_TEST(KokkosElements, of_a_long_double_and_of_a_bool_are_compared_and_added_up) {
  if constexpr (reduce_detail::on_host<TypeParam>) {
    const std::vector<long double> values(1000, 2.5L);
    const auto x = this->on_device(values);
    const auto result = this->template place<long double>();
    EXPECT_EQ(this->reduced_to(result, x, result, Minimum{}, 9.0L), 2.5L);
  }
  const auto bytes = this->on_device(std::vector<unsigned char>(1000, 1));
  const auto* const flags = reinterpret_cast<const bool*>(bytes.data());
  const auto any = this->template place<bool>();
  EXPECT_TRUE(this->reduced_to(any, flags, std::size_t{1000}, any.data(), Sum{}, false));
}

TYPED_TEST(KokkosElements, and_results_that_are_nowhere_are_refused) {
  const auto x = this->on_device(std::vector<int>(100, 1));
  const auto result = this->template place<int>();
  const int* const input = x.data();
  const int* const nothing = nullptr;
  int* const nowhere = nullptr;
  const auto& space = this->space();
  EXPECT_FALSE(reduce(space, this->workspace, nothing, 100, result.data(), Sum{}, 0));
  EXPECT_FALSE(reduce(space, this->workspace, input, 100, nowhere, Sum{}, 0));
  EXPECT_FALSE(reduce(space, this->workspace, input, nothing, 100, result.data(), Sum{}, 0));
  EXPECT_FALSE(reduce(space, Workspace{}, input, 100, result.data(), Sum{}, 0));
  EXPECT_TRUE(reduce(space, this->workspace, nothing, 0, result.data(), Minimum{}, 7));
  EXPECT_EQ(this->got(result), 7);
}

}  // namespace ladder::kokkos
