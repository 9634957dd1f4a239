// Element types of the header on a GPU: every arithmetic type, in one kernel each.

#include <cstddef>
#include <type_traits>
#include <vector>

#include "tests/model/calling.hpp"

namespace ladder::LADDER_MODEL {

namespace {

template <class T>
class EachElement : public Calling {
 protected:
  static T number(int value) { return reduce_detail::cast<T>(static_cast<float>(value)); }
  template <class In, class Op>
  int reduced_to_int(In x, std::size_t n, Op op, int identity) {
    const T found = reduced_by_one_kernel(x, n, op, number(identity));
    return static_cast<int>(reduce_detail::cast<float>(found));
  }
};
using Types =
    testing::Types<bool, char, signed char, unsigned char, wchar_t, short, unsigned short, int,
                   unsigned, long, unsigned long, long long, unsigned long long, float, double,
#if !defined(__HIP_PLATFORM_AMD__)
                   __half, __nv_bfloat16,
#endif
                   Number>;
TYPED_TEST_SUITE(EachElement, Types);

TYPED_TEST(EachElement, is_added_up_and_compared) {
  std::vector<unsigned char> bytes(1000 * sizeof(TypeParam));
  const auto put = [&](std::size_t i, int number) {
    const TypeParam value = this->number(number);
    memcpy(&bytes[i * sizeof value], &value, sizeof value);
  };
  for (std::size_t i = 0; i < 1000; ++i) put(i, i % 50 == 7 ? 1 : 0);
  put(500, 3);
  const auto* const x = reinterpret_cast<const TypeParam*>(this->on_device(bytes));
  const Places<TypeParam> places{x};
  const bool is_bool = std::is_same_v<TypeParam, bool>;
  EXPECT_EQ(this->reduced_to_int(x + 1, 999, Sum{}, 0), is_bool ? 1 : 23);
  EXPECT_EQ(this->reduced_to_int(places, 1000, Sum{}, 0), is_bool ? 1 : 23);
  EXPECT_EQ(this->reduced_to_int(x + 1, 999, Maximum{}, 0), is_bool ? 1 : 3);
  EXPECT_EQ(this->reduced_to_int(places, 1000, Minimum{}, 1), 0);
}

using Elements = Calling;

TEST_F(Elements, need_no_default_constructor_where_the_host_polls) {
  std::vector<int> numbers;  // two per version
  for (int i = 0; i < 3000; ++i) numbers.insert(numbers.end(), {i % 7 + 1, i});
  const auto* const x = reinterpret_cast<const Version*>(on_device(numbers));
  for (const std::size_t n : {std::size_t{100}, std::size_t{3000}}) {
    const OnHost<Version> polled = on_host<Version>(0);
    polled.clear();
    ok(reduce(workspace, x, n, polled, Maximum{}, Version(0, 0), stream));
    EXPECT_EQ(polled.wait(), Version(7, static_cast<int>((n - 7) / 7 * 7 + 6)));
  }
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
