// Tests several arrays as one input in every model: transform of ladder/detail/transformed.hpp.

#include LADDER_CALLING

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ladder::LADDER_MODEL {

template <class S>
class TransformOn : public CallingOn<S> {};
TYPED_TEST_SUITE(TransformOn, Spaces, Named);

struct Times {
  template <class X, class Y>
  LADDER_TEST_FUNCTION std::int64_t operator()(X x, Y y) const {
    return static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y);
  }
};
struct Placed {
  int value;
  std::int64_t at;
};
struct WithPlace {
  LADDER_TEST_FUNCTION Placed operator()(std::int64_t i, int x) const { return {x, i}; }
};
struct FirstOfTheLeast {
  LADDER_TEST_FUNCTION Placed operator()(const Placed& a, const Placed& b) const {
    return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
  }
};
struct ThreeAtOnce {
  LADDER_TEST_FUNCTION double operator()(signed char x, double y, short z) const {
    return x * y + z;
  }
};

template <class T>
std::vector<T> some(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] =
        static_cast<T>(static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 26) - 30);
  return values;
}

constexpr std::size_t lengths[]{0, 1, 3, 4, 100, 4096, 5001, 70000, 300001, 1 << 20};

TYPED_TEST(TransformOn, a_dot_product_is_right_wherever_its_arrays_begin) {
  const std::size_t most = (1 << 20) + 4;
  const auto a = some<int>(most);
  const int* const x = this->on_device(a);
  const auto is_right = [&](const auto& b) {
    const auto* const y = this->on_device(b);
    for (const auto& [first, second] :
         {std::pair{0U, 0U}, {1U, 1U}, {3U, 3U}, {4U, 4U}, {0U, 1U}, {2U, 3U}}) {
      for (const std::size_t n : lengths) {
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < n; ++i) expected += Times{}(a[i + first], b[i + second]);
        const auto products = transform(Times{}, x + first, y + second);
        EXPECT_EQ(this->reduced(products, n, Sum{}, std::int64_t{0}), expected)
            << n << " from " << first << " and " << second;
      }
    }
  };
  is_right(some<float>(most));
  is_right(some<signed char>(most));
}

TYPED_TEST(TransformOn, the_place_of_the_least_is_the_first_one) {
  const auto values = some<int>((1 << 20) + 3);
  for (const std::size_t past : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    for (const std::size_t n : lengths) {
      if (n == 0) continue;
      auto here = values;
      here[past + n / 2] = here[past + n - 1] = -1000;
      const auto x = transform_indexed(WithPlace{}, this->on_device(here) + past);
      const Placed none{1 << 30, std::int64_t{1} << 62};
      EXPECT_EQ(this->reduced(x, n, FirstOfTheLeast{}, none).at, static_cast<std::int64_t>(n / 2))
          << n << " from " << past;
    }
  }
}

TYPED_TEST(TransformOn, arrays_of_other_types_are_read_side_by_side) {
  const std::size_t n = 100003;
  const auto a = some<signed char>(n);
  const auto b = some<double>(n);
  const auto c = some<short>(n);
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += a[i] * b[i] + c[i];
  const int* const count = this->on_device(std::vector<int>{static_cast<int>(n)});
  const auto x =
      transform(ThreeAtOnce{}, this->on_device(a), this->on_device(b), this->on_device(c));
  EXPECT_EQ(this->reduced(x, n, Sum{}, 0.0), expected);
  EXPECT_EQ(this->reduced(x, count, 2 * n, Sum{}, 0.0), expected) << "n on the device";
}

TYPED_TEST(TransformOn, an_array_that_is_nowhere_is_refused) {
  const float* const nothing = nullptr;
  const float* const x = this->on_device(std::vector<float>(100));
  auto* const to = this->template place<std::int64_t>();
  const std::size_t n = 100;
  EXPECT_FALSE(
      this->takes(this->workspace, transform(Times{}, x, nothing), n, to, Sum{}, std::int64_t{0}));
}

}  // namespace ladder::LADDER_MODEL
