// What the header's elements, accumulators and inputs may be, in one kernel for each: of every
// arithmetic type, of classes that are numbers or only have an order, behind pointers of any
// alignment and behind iterators that return a stand-in for an element.

#include "tests/elements.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tests/model/calling.hpp"

namespace ladder::LADDER_MODEL {

template <>
inline constexpr bool is_floating<Number> = true;

namespace {

class Elements : public Calling {
 protected:
  /// By one kernel, not by as many as there are choices.
  template <class In, class A, class Op>
  void reduce_by_one(In x, std::size_t n, A* to, Op op, A identity) {
    using namespace reduce_detail;
    reduce_detail::reduce<64, 2, true, In, Given, A*, A, Op>
        <<<1, 64, 0, stream>>>(x, Given{static_cast<Index>(n)}, workspace, to, op, identity);
    ok(Runtime::last_error());
  }

  template <class T>
  void is_right_in_each_operation() {
    std::vector<unsigned char> bytes(1000 * sizeof(T));
    const auto put = [&](std::size_t i, T value) {
      memcpy(&bytes[i * sizeof(T)], &value, sizeof value);
    };
    for (std::size_t i = 0; i < 1000; ++i) put(i, number<T>(i % 50 == 7 ? 1 : 0));
    put(500, number<T>(3));
    const auto* const x = reinterpret_cast<const T*>(on_device(bytes));
    const bool is_bool = std::is_same_v<T, bool>;
    reduce_by_one(x + 1, 999, place<T>(), Sum{}, number<T>(0));
    EXPECT_EQ(value<T>(), is_bool ? 1 : 23);
    reduce_by_one(Places<T>{x}, 1000, place<T>(), Sum{}, number<T>(0));
    EXPECT_EQ(value<T>(), is_bool ? 1 : 23);
    reduce_by_one(x + 1, 999, place<T>(), Maximum{}, number<T>(0));
    EXPECT_EQ(value<T>(), is_bool ? 1 : 3);
    reduce_by_one(Places<T>{x}, 1000, place<T>(), Minimum{}, number<T>(1));
    EXPECT_EQ(value<T>(), 0);
  }

  template <class T>
  static T number(int value) {
    return reduce_detail::cast<T>(static_cast<float>(value));
  }
  template <class T>
  int value() {
    T found;
    device->download(&found, result->data(), sizeof found);
    return static_cast<int>(reduce_detail::cast<float>(found));
  }
};

template <class T>
class EachElement : public Elements {};
using Types =
    testing::Types<bool, char, signed char, unsigned char, wchar_t, short, unsigned short, int,
                   unsigned, long, unsigned long, long long, unsigned long long, float, double,
#if !defined(__HIP_PLATFORM_AMD__)
                   __half, __nv_bfloat16,
#endif
                   Number>;
TYPED_TEST_SUITE(EachElement, Types);
TYPED_TEST(EachElement, is_added_up_and_compared) {
  this->template is_right_in_each_operation<TypeParam>();
}

TEST_F(Elements, of_eight_bytes_may_lie_at_any_multiple_of_four) {
  std::vector<float> words(2 * 100003 + 4, 1.0F);
  for (const std::size_t past : {0, 1, 2, 3}) {
    for (const std::size_t n : {1, 2, 3, 100, 5000, 100003}) {
      auto all = words;
      all[past + 2 * (n / 2)] = 2.0F;
      for (std::size_t i = 0; i < n; ++i) {
        const int index = static_cast<int>(i);
        memcpy(&all[past + 2 * i + 1], &index, sizeof index);
      }
      const auto* const x = reinterpret_cast<const Pair*>(on_device(all) + past);
      ok(reduce(workspace, x, n, place<Pair>(), LargerPair{}, Pair{-1, 0}, stream));
      EXPECT_EQ(got<Pair>().index, static_cast<int>(n / 2)) << n << " from " << past;
    }
    pieces.clear();
  }
}

TEST_F(Elements, need_no_default_constructor_and_no_more_than_an_order) {
  std::vector<int> numbers;
  for (int i = 0; i < 3000; ++i) numbers.insert(numbers.end(), {i % 7 + 1, i});
  const auto* const x = reinterpret_cast<const Version*>(on_device(numbers));
  for (const std::size_t n : {std::size_t{100}, std::size_t{3000}}) {
    ok(reduce(workspace, x, n, place<Version>(), Minimum{}, Version(99, 0), stream));
    Version found(0, 0);
    device->download(&found, result->data(), sizeof found);
    EXPECT_EQ(found, Version(1, 0));
    const OnHost<Version> polled = on_host<Version>(0);
    polled.clear();
    ok(reduce(workspace, x, n, polled, Maximum{}, Version(0, 0), stream));
    EXPECT_EQ(polled.wait(), Version(7, static_cast<int>((n - 7) / 7 * 7 + 6)));
  }
}

TEST_F(Elements, that_are_a_class_of_numbers_keep_a_nan_and_the_sign_of_a_zero) {
  const auto bits = [&] { return got<std::uint16_t>(); };
  for (std::size_t at = 0; at < 40; ++at) {
    std::vector<std::uint16_t> upper(1000, 0);
    upper[at] = 0x8000;
    const auto* x = reinterpret_cast<const Number*>(on_device(upper));
    reduce_by_one(x, 1000, place<Number>(), Minimum{}, Number(1));
    EXPECT_EQ(bits(), 0x8000) << "-0 at " << at;
    upper.assign(1000, 0x8000);
    upper[at] = 0;
    x = reinterpret_cast<const Number*>(on_device(upper));
    reduce_by_one(x, 1000, place<Number>(), Maximum{}, Number(-1));
    EXPECT_EQ(bits(), 0) << "+0 at " << at;
    upper[at] = 0x7FC0;
    x = reinterpret_cast<const Number*>(on_device(upper));
    reduce_by_one(x, 1000, place<Number>(), Maximum{}, Number(-1));
    EXPECT_EQ(bits() & 0x7FC0, 0x7FC0) << "a NaN at " << at;
    reduce_by_one(x, 1000, place<Number>(), Minimum{}, Number(1));
    EXPECT_EQ(bits() & 0x7FC0, 0x7FC0) << "a NaN at " << at;
  }
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
