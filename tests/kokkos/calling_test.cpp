// Tests the features of include/ladder/kokkos/reduce.hpp that no other model has, on each space.

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

TYPED_TEST(KokkosCalling, makes_do_with_the_smallest_workspace_and_refuses_a_lesser_one) {
  this->made_with(2048);
  const auto values = counted(2000000);
  const int* const x = this->on_device(values);
  const Choice choice{256, 1, Choice::one_pass};
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(this->reduced(x, values.size(), Sum{}, 0, choice),
              std::accumulate(values.begin(), values.end(), 0));
  const Kokkos::View<std::uint64_t*, typename TypeParam::memory_space> words("too few", 2047);
  EXPECT_FALSE(make_workspace(&this->workspace, this->space(), words));
  const Kokkos::View<std::uint64_t*, typename TypeParam::memory_space> more("more", 2049);
  const auto odd = Kokkos::subview(more, std::pair(1, 2049));
  EXPECT_FALSE(make_workspace(&this->workspace, this->space(), odd))
      << "an accumulator may need 16";
}

TYPED_TEST(KokkosCalling, refuses_a_choice_for_which_there_is_no_kernel) {
  constexpr std::size_t n = 1000;
  const int* const x = this->on_device(counted(n));
  const bool launched = this->takes(this->workspace, x, n, this->template place<int>(), Sum{}, 0,
                                    Choice{128, 1, Choice::one_pass});
  EXPECT_EQ(launched, reduce_detail::on_host<TypeParam>) << "a host has one way, for any choice";
  this->space().fence();
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
