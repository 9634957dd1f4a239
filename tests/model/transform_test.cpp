// Several arrays as one input: transform of ladder/detail/elements.hpp.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/model/calling.hpp"

namespace ladder::LADDER_MODEL {
namespace {

class Transform : public Calling {};

struct Times {
  template <class X, class Y>
  __device__ long long operator()(X x, Y y) const {
    return static_cast<long long>(x) * static_cast<long long>(y);
  }
};
struct Place {
  int value;
  std::int64_t at;
};
struct WithPlace {
  __device__ Place operator()(std::int64_t i, int x) const { return {x, i}; }
};
struct Least {
  __host__ __device__ Place operator()(const Place& a, const Place& b) const {
    return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
  }
};
struct ThreeAtOnce {
  __device__ double operator()(signed char x, double y, short z) const { return x * y + z; }
};

template <class T>
std::vector<T> some(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] =
        static_cast<T>(static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 26) - 30);
  return values;
}

const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all{0, 1, 3, 4, 100, 4096, 5001, 70000, 300001, 1 << 20};
  return all;
}

TEST_F(Transform, a_dot_product_is_right_wherever_its_arrays_begin) {
  const std::size_t most = (1 << 20) + 4;
  const auto a = some<int>(most);
  const auto b = some<float>(most);
  const int* const x = on_device(a);
  const float* const y = on_device(b);
  for (const auto& [first, second] : {std::pair{0, 0}, {1, 1}, {3, 3}, {0, 1}, {2, 3}}) {
    for (const std::size_t n : sizes()) {
      long long expected = 0;
      for (std::size_t i = 0; i < n; ++i)
        expected += a[i + static_cast<std::size_t>(first)] *
                    static_cast<long long>(b[i + static_cast<std::size_t>(second)]);
      ok(reduce(workspace, transform(Times{}, x + first, y + second), n, place<long long>(), Sum{},
                0LL, stream));
      EXPECT_EQ(got<long long>(), expected) << n << " from " << first << " and " << second;
    }
  }
}

TEST_F(Transform, the_place_of_the_least_is_the_first_one) {
  auto values = some<int>((1 << 20) + 3);
  for (const std::size_t past : {0, 1, 3}) {
    for (const std::size_t n : sizes()) {
      if (n == 0) continue;
      auto here = values;
      here[past + n / 2] = here[past + n - 1] = -1000;
      const int* const x = on_device(here) + past;
      ok(reduce(workspace, transform_indexed(WithPlace{}, x), n, place<Place>(), Least{},
                Place{1 << 30, 1LL << 62}, stream));
      EXPECT_EQ(got<Place>().at, static_cast<std::int64_t>(n / 2)) << n << " from " << past;
      pieces.clear();
    }
  }
}

TEST_F(Transform, arrays_of_other_types_are_read_side_by_side) {
  const std::size_t n = 100003;
  const auto a = some<signed char>(n);
  const auto b = some<double>(n);
  const auto c = some<short>(n);
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += a[i] * b[i] + c[i];
  const auto* const count = on_device(std::vector<int>{static_cast<int>(n)});
  const auto input = transform(ThreeAtOnce{}, on_device(a), on_device(b), on_device(c));
  ok(reduce(workspace, input, n, place<double>(), Sum{}, 0.0, stream));
  EXPECT_EQ(got<double>(), expected);
  ok(reduce(workspace, input, count, 2 * n, place<double>(), Sum{}, 0.0, stream));
  EXPECT_EQ(got<double>(), expected) << "n on the device";
}

TEST_F(Transform, an_array_that_is_nowhere_is_refused) {
  const float* const nothing = nullptr;
  const float* const x = on_device(std::vector<float>(100));
  EXPECT_TRUE(is_invalid_value(reduce(workspace, transform(Times{}, x, nothing), 100,
                                      place<long long>(), Sum{}, 0LL, stream)));
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
