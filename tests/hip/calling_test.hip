// include/ladder/hip/reduce.hpp as other code calls it: the main ones of
// tests/cuda/calling_test.cu.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include "ladder/hip/reduce.hpp"
#include "tests/model/model.hpp"

namespace ladder::hip {
namespace {

constexpr std::uint64_t no_result = 0x5A5A5A5A5A5A5A5A;

class Calling : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = vendor::why_unusable(0)) GTEST_SKIP() << *why;
    ok(hipSetDevice(0));
    ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    ok(hipMalloc(&memory, workspace_bytes()));
    ok(hipMalloc(&result, 64));
    ok(make_workspace(&workspace, memory, workspace_bytes(), stream));
  }
  void TearDown() override {
    if (stream == nullptr) return;
    ok(hipStreamSynchronize(stream));
    for (void* piece : pieces) ok(hipFree(piece));
    ok(hipFree(result));
    ok(hipFree(memory));
    ok(hipStreamDestroy(stream));
  }

  static void ok(hipError_t code) { ASSERT_EQ(code, hipSuccess) << hipGetErrorString(code); }

  template <class T>
  T* on_device(const std::vector<T>& values) {
    void* piece = nullptr;
    ok(hipMalloc(&piece, values.size() * sizeof(T) + 1));
    pieces.push_back(piece);
    ok(hipMemcpy(piece, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
    return static_cast<T*>(piece);
  }
  template <class A>
  A* place() {
    ok(hipMemsetAsync(result, 0x5A, 64, stream));
    return static_cast<A*>(result);
  }
  template <class A>
  A got() {
    A value{};
    ok(hipMemcpyAsync(&value, result, sizeof value, hipMemcpyDeviceToHost, stream));
    ok(hipStreamSynchronize(stream));
    return value;
  }
  void number_is(std::uint64_t calls) {
    ok(hipStreamSynchronize(stream));
    ok(hipMemcpy(memory, &calls, sizeof calls, hipMemcpyHostToDevice));
  }

  hipStream_t stream = nullptr;
  void *memory = nullptr, *result = nullptr;
  Workspace workspace;
  std::vector<void*> pieces;
};

std::vector<int> counted(std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 24) - 100;
  return values;
}

std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const auto& known : instances) {
    for (const int per_unit : {Choice::alone, Choice::one_pass, 1, 3}) {
      if (known.alone == (per_unit == Choice::alone))
        all.push_back({known.block, known.vectors, per_unit});
    }
  }
  return all;
}

TEST_F(Calling, every_kernel_is_right_at_every_size_and_alignment) {
  const std::size_t most = 300000;
  const auto values = counted(most);
  const int* const x = on_device(values);
  for (const Choice& choice : choices()) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{127},
          std::size_t{128}, std::size_t{129}, std::size_t{4095}, std::size_t{4096},
          std::size_t{4097}, std::size_t{131071}, std::size_t{131077}, most - 3}) {
      for (const std::size_t past : {0, 1, 3}) {
        ok(reduce(workspace, x + past, n, place<int>(), Sum{}, 0, stream, choice));
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(past);
        EXPECT_EQ(got<int>(), std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(n), 0))
            << n << " from " << past << ", block " << choice.block << ", " << choice.vectors
            << " vectors, " << choice.per_unit << " per SM";
      }
    }
  }
}

TEST_F(Calling, a_workspace_may_be_full_of_anything_before_it_is_made) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> bytes(workspace_bytes() / sizeof(std::uint64_t));
  std::ranges::generate(bytes, random);
  ok(hipMemcpy(memory, bytes.data(), workspace_bytes(), hipMemcpyHostToDevice));
  ok(make_workspace(&workspace, memory, workspace_bytes(), stream));
  const auto values = counted(1 << 20);
  ok(reduce(workspace, on_device(values), values.size(), place<int>(), Sum{}, 0, stream));
  EXPECT_EQ(got<int>(), std::accumulate(values.begin(), values.end(), 0));
}

TEST_F(Calling, words_of_calls_long_ago_are_forgotten_when_the_numbers_begin_again) {
  // What calls 1 to 4 would have left 2^32 calls ago, had they been of a larger grid.
  std::vector<std::uint64_t> old(workspace_bytes() / sizeof(std::uint64_t));
  for (std::size_t w = 1; w < old.size(); ++w) old[w] = std::uint64_t{1 + w % 4} << 32 | 12345;
  ok(hipStreamSynchronize(stream));
  ok(hipMemcpy(memory, old.data(), workspace_bytes(), hipMemcpyHostToDevice));
  number_is(std::numeric_limits<std::uint32_t>::max() - 2);
  const auto values = counted(1 << 20);
  const int* const x = on_device(values);
  const int sum = std::accumulate(values.begin(), values.end(), 0);
  for (int call = 0; call < 8; ++call) {
    // Small grids first, so that most words are still the old ones behind the last number.
    const Choice choice{256, 1, call < 2 ? 1 : Choice::one_pass};
    ok(reduce(workspace, x, values.size(), place<int>(), Sum{}, 0, stream, choice));
    EXPECT_EQ(got<int>(), sum) << "call " << call;
  }
}

TEST_F(Calling, many_blocks_are_collected_in_groups_whatever_is_left_of_the_last_one) {
  const std::size_t tile = 256 * 4, most = reduce_detail::most_directly<256, int>,
                    group = reduce_detail::group<int>;
  const auto values = counted((2 * most + 2) * tile);
  const int* const x = on_device(values);
  number_is(std::numeric_limits<std::uint32_t>::max() - 5);  // which begins again among these calls
  for (const std::size_t blocks : {most + group + 1, most, most + 1, most + group - 1, most + group,
                                   2 * most + 1, most / 2, most + 2}) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(blocks * tile);
    for (int again = 0; again < 10; ++again) {
      ok(reduce(workspace, x, blocks * tile, place<int>(), Sum{}, 0, stream,
                {256, 1, Choice::one_pass}));
      EXPECT_EQ(got<int>(), std::accumulate(values.begin(), end, 0)) << blocks << " blocks";
    }
  }
}

/// Where the largest value is; of several the first.
struct Place {
  float value;
  int index;
};
struct Largest {
  __host__ __device__ Place operator()(const Place& a, const Place& b) const {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.index < b.index ? a : b;
  }
};
struct Places {
  const float* x;
  __device__ Place operator[](std::int64_t i) const { return {x[i], static_cast<int>(i)}; }
};

TEST_F(Calling, takes_an_iterator_an_operation_and_an_accumulator_of_ones_own) {
  std::vector<float> values(1000003, 1.0F);
  values[777777] = values[888888] = 2.0F;
  ok(reduce(workspace, Places{on_device(values)}, values.size(), place<Place>(), Largest{},
            Place{-1.0F, 0}, stream));
  EXPECT_EQ(got<Place>().index, 777777);
}

TEST_F(Calling, how_many_there_are_may_stand_on_the_device) {
  const auto values = counted(1 << 20);
  const int* const x = on_device(values);
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{70000}, values.size()}) {
    const std::size_t* const count = on_device(std::vector<std::size_t>{n});
    ok(reduce(workspace, x, count, values.size(), place<int>(), Sum{}, 0, stream));
    EXPECT_EQ(got<int>(),
              std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), 0));
  }
}

TEST_F(Calling, the_host_may_poll_for_a_result) {
  void* mapped = nullptr;
  ok(hipHostMalloc(&mapped, 64, hipHostMallocMapped));
  const auto values = counted(1 << 20);
  const int* const x = on_device(values);
  const OnHost<int> four{static_cast<std::uint64_t*>(mapped)};
  const OnHost<double> eight{static_cast<std::uint64_t*>(mapped) + 1};
  for (const std::size_t n : {std::size_t{0}, std::size_t{7}, std::size_t{5000}, values.size()}) {
    const int sum =
        std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), 0);
    for (int again = 0; again < 100; ++again) {
      four.clear();
      eight.clear();
      EXPECT_FALSE(four.ready());
      ok(reduce(workspace, x, n, four, Sum{}, 0, stream));
      ok(reduce(workspace, x, n, eight, Sum{}, 0.0, stream));
      EXPECT_EQ(four.wait(), sum);
      EXPECT_EQ(eight.wait(), sum);
    }
  }
  ok(hipStreamSynchronize(stream));
  ok(hipHostFree(mapped));
}

TEST_F(Calling, the_bits_of_a_sum_are_the_same_each_time) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> some(-1, 1);
  std::vector<float> values(3000001);
  std::ranges::generate(values, [&] { return some(random); });
  const float* const x = on_device(values);
  ok(reduce(workspace, x, values.size(), place<float>(), Sum{}, 0.0F, stream));
  const auto first = got<std::uint32_t>();
  for (int again = 0; again < 100; ++again) {
    ok(reduce(workspace, x, values.size(), place<float>(), Sum{}, 0.0F, stream));
    EXPECT_EQ(got<std::uint32_t>(), first);
  }
}

TEST_F(Calling, minimum_and_maximum_keep_a_nan_and_know_the_sign_of_a_zero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t n : {std::size_t{100}, std::size_t{1} << 18}) {
    std::vector<float> values(n, 0.0F);
    values[n / 3] = -0.0F;
    ok(reduce(workspace, on_device(values), n, place<float>(), Minimum{}, 1.0F, stream));
    EXPECT_EQ(got<std::uint32_t>(), 0x80000000U);
    std::vector<float> negative(n, -0.0F);
    negative[n / 2] = 0.0F;
    ok(reduce(workspace, on_device(negative), n, place<float>(), Maximum{}, -1.0F, stream));
    EXPECT_EQ(got<std::uint32_t>(), 0U);
    negative[n / 5] = nan;
    const float* const x = on_device(negative);
    ok(reduce(workspace, x, n, place<float>(), Maximum{}, -1.0F, stream));
    EXPECT_NE(got<float>(), got<float>());
    ok(reduce(workspace, x, n, place<float>(), Minimum{}, 1.0F, stream));
    EXPECT_NE(got<float>(), got<float>());
  }
}

TEST_F(Calling, the_extremes_of_bytes_are_right_wherever_they_stand) {
  std::mt19937 random(3);
  std::vector<signed char> values(70000);
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{16}, std::size_t{47}, values.size() - 1}) {
    for (const std::size_t past : {0, 1}) {
      for (std::size_t at = 0; at < std::min<std::size_t>(n, 40); ++at) {
        std::ranges::generate(values,
                              [&] { return static_cast<signed char>(random() % 180 - 90); });
        values[past + at] = -128;
        const signed char* x = on_device(values) + past;
        ok(reduce(workspace, x, n, place<signed char>(), Minimum{}, std::int8_t{127}, stream));
        EXPECT_EQ(got<signed char>(), -128) << n << " from " << past << ", at " << at;
        values[past + at] = 100;
        x = on_device(values) + past;
        ok(reduce(workspace, x, n, place<signed char>(), Maximum{}, std::int8_t{-128}, stream));
        EXPECT_EQ(got<signed char>(), 100) << n << " from " << past << ", at " << at;
      }
    }
  }
}

TEST_F(Calling, what_cannot_be_is_returned_and_nothing_is_launched) {
  const int* const x = on_device(counted(100));
  EXPECT_EQ(reduce(workspace, x, 100, place<int>(), Sum{}, 0, stream, {96, 1, 0}),
            hipErrorInvalidValue);
  EXPECT_EQ(got<std::uint64_t>(), no_result);
  Workspace refused;
  EXPECT_EQ(make_workspace(&refused, memory, 1000, stream), hipErrorInvalidValue);
  EXPECT_EQ(make_workspace(&refused, nullptr, workspace_bytes(), stream), hipErrorInvalidValue);
  EXPECT_EQ(make_workspace(&refused, static_cast<char*>(memory) + 1, workspace_bytes() - 8, stream),
            hipErrorInvalidValue);
}

}  // namespace
}  // namespace ladder::hip
