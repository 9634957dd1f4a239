// Several arrays as one input of the header for Kokkos, on each space of the build.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/kokkos/calling.hpp"

namespace ladder::kokkos {

TYPED_TEST_SUITE(KokkosCalling, Spaces, Named);

struct Times {
  template <class X, class Y>
  KOKKOS_FUNCTION std::int64_t operator()(X x, Y y) const {
    return static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y);
  }
};
struct Placed {
  int value;
  std::int64_t at;
};
struct WithPlace {
  KOKKOS_FUNCTION Placed operator()(std::int64_t i, int x) const { return {x, i}; }
};
struct FirstOfTheLeast {
  KOKKOS_FUNCTION Placed operator()(const Placed& a, const Placed& b) const {
    return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
  }
};

template <class T>
std::vector<T> some(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<T>(static_cast<int>(i * 37 % 61) - 30);
  return values;
}

constexpr std::size_t lengths[]{0, 1, 3, 100, 4096, 5001, 70000, 300001, 1 << 20};

TYPED_TEST(KokkosCalling, multiplies_two_arrays_wherever_they_begin) {
  const std::size_t most = (1 << 20) + 4;
  const auto a = some<int>(most);
  const auto b = some<signed char>(most);
  const auto left = this->on_device(a);
  const auto right = this->on_device(b);
  const auto result = this->template place<std::int64_t>();
  for (const auto& [first, second] : {std::pair{0, 0}, {1, 1}, {4, 4}, {0, 1}, {2, 3}}) {
    for (const std::size_t n : lengths) {
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < n; ++i)
        expected +=
            a[i + static_cast<std::size_t>(first)] * b[i + static_cast<std::size_t>(second)];
      const int* const x = left.data() + first;
      const signed char* const y = right.data() + second;
      EXPECT_EQ(this->reduced_to(result, transform(Times{}, x, y), n, result.data(), Sum{}, 0),
                expected)
          << n << " from " << first << " and " << second;
    }
  }
}

TYPED_TEST(KokkosCalling, finds_the_first_place_of_the_least) {
  const auto result = this->template place<Placed>();
  for (const std::size_t past : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    for (const std::size_t n : lengths) {
      if (n == 0) continue;
      auto values = some<int>(n + past);
      values[past + n / 2] = values[past + n - 1] = -1000;
      const auto there = this->on_device(values);
      const int* const x = there.data() + past;
      const auto found =
          this->reduced_to(result, transform_indexed(WithPlace{}, x), n, result.data(),
                           FirstOfTheLeast{}, Placed{1 << 30, std::int64_t{1} << 62});
      EXPECT_EQ(found.at, static_cast<std::int64_t>(n / 2)) << n << " from " << past;
    }
  }
}

TYPED_TEST(KokkosCalling, refuses_an_array_that_is_nowhere) {
  const auto there = this->on_device(some<int>(100));
  const auto result = this->template place<std::int64_t>();
  const int* const x = there.data();
  const int* const nothing = nullptr;
  EXPECT_FALSE(reduce(this->space(), this->workspace, transform(Times{}, x, nothing), 100,
                      result.data(), Sum{}, 0));
}

}  // namespace ladder::kokkos
