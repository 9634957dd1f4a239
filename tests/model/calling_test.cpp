// include/ladder/cuda/reduce.hpp and include/ladder/hip/reduce.hpp as other code calls them.

#include "tests/model/calling.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace ladder::LADDER_MODEL {
namespace {

int sum_of(const std::vector<int>& values, std::size_t n, std::size_t first = 0) {
  return std::accumulate(values.data() + first, values.data() + first + n, 0);
}
int sum_of(const std::vector<int>& values) { return sum_of(values, values.size()); }

TEST_F(Calling, a_workspace_may_be_full_of_anything_before_it_is_made) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> anything(workspace_bytes() / sizeof(std::uint64_t));
  std::ranges::generate(anything, random);
  device->upload(memory->data(), anything.data(), workspace_bytes());
  ok(make_workspace(&workspace, memory->data(), workspace_bytes(), stream));
  const auto values = counted(1 << 20);
  EXPECT_EQ(reduced(on_device(values), values.size(), Sum{}, 0), sum_of(values));
}

TEST_F(Calling, words_of_calls_long_ago_are_forgotten_when_the_numbers_begin_again) {
  // Words that calls 1 to 4, with a larger grid, would have left 2^32 calls ago.
  std::vector<std::uint64_t> old(workspace_bytes() / sizeof(std::uint64_t));
  for (std::size_t w = 1; w < old.size(); ++w) old[w] = std::uint64_t{1 + w % 4} << 32 | 12345;
  device->upload(memory->data(), old.data(), workspace_bytes());
  number_is(std::numeric_limits<std::uint32_t>::max() - 2);
  const auto values = counted(1 << 20);
  const int* const x = on_device(values);
  for (int call = 0; call < 8; ++call) {
    // Small grids first, so that most words are still old after the last number.
    const Choice choice{256, 1, call < 2 ? 1 : Choice::one_pass};
    EXPECT_EQ(reduced(x, values.size(), Sum{}, 0, choice), sum_of(values)) << "call " << call;
  }
}

/// Keeps its SM busy until `*released` is set.
__global__ void occupy(const volatile std::uint64_t* released) {
  while (*released == 0) {
  }
}
const void* const occupying = reinterpret_cast<const void*>(occupy);

TEST_F(Calling, a_grid_may_be_many_times_what_is_resident) {
  int per_unit = 0;
  ok(Runtime::occupy(&per_unit, occupying, 256, 0));
  const std::size_t resident = workspace.device.units * static_cast<std::size_t>(per_unit);
  const auto values = counted(resident * 10 * 256 * 4);
  const int* const x = on_device(values);
  const int sum = sum_of(values);
  const Choice choice{256, 1, Choice::one_pass};
  for (int again = 0; again < 20; ++again)
    EXPECT_EQ(reduced(x, values.size(), Sum{}, 0, choice), sum);
}

TEST_F(Calling, many_blocks_are_collected_in_groups_whatever_is_left_of_the_last_one) {
  const std::size_t tile = 256 * 4, most = reduce_detail::most_directly<256, int>,
                    group = reduce_detail::group<int>;
  const auto values = counted((2 * most + 2) * tile);
  const int* const x = on_device(values);
  number_is(std::numeric_limits<std::uint32_t>::max() - 5);  // wraps around during these calls
  for (const std::size_t blocks : {most + group + 1, most, most + 1, most + group - 1, most + group,
                                   2 * most + 1, most / 2, most + 2}) {
    const Choice choice{256, 1, Choice::one_pass};
    for (int again = 0; again < 10; ++again)
      EXPECT_EQ(reduced(x, blocks * tile, Sum{}, 0, choice), sum_of(values, blocks * tile))
          << blocks << " blocks";
  }
}

TEST_F(Calling, a_workspace_has_a_word_for_each_block_of_what_it_was_made_for) {
  const auto words = [](std::size_t most) { return workspace_bytes(most) / 8 - 1; };
  EXPECT_EQ(words(0), std::size_t{1} << 16);
  for (const int power : {20, 28, 31}) {
    const std::size_t n = std::size_t{1} << power;
    const Workspace large{nullptr, static_cast<std::uint32_t>(words(n)), {132, 50 << 20}};
    const std::size_t blocks =
        reduce_detail::blocks_of<const double*, double>(large, {1024, 2, Choice::one_pass}, n);
    EXPECT_EQ(blocks, n / (1024 * 2 * 2)) << n;
  }
}

TEST_F(Calling, one_free_SM_is_enough) {
  // The most shared memory that a block can have, so that nothing else fits on the SM.
  std::size_t shared = 512 << 10;
  while (Runtime::allow_shared(occupying, shared) != Runtime::success) {
    (void)Runtime::last_error();
    shared -= 1 << 10;
  }
  auto* const released = reinterpret_cast<volatile std::uint64_t*>(mapped->data());
  *released = 0;
  const auto values = counted(1 << 22);
  const int* const x = on_device(values);
  const auto other = another_stream();
  // One call in advance: a kernel is loaded onto the device only while nothing runs.
  ok(reduce(workspace, x, values.size(), place<int>(), Sum{}, 0, stream));
  int* const there = place<int>();
  device->synchronize();
  occupy<<<workspace.device.units - 1, 1024, shared, other.get()>>>(released);
  ok(Runtime::last_error());
  ok(reduce(workspace, x, values.size(), there, Sum{}, 0, stream));
  EXPECT_EQ(got<int>(), sum_of(values));
  EXPECT_EQ(LADDER_GPU(StreamQuery)(other.get()), LADDER_GPU(ErrorNotReady))
      << "the other kernel was there all the time";
  *released = 1;
  ok(LADDER_GPU(StreamSynchronize)(other.get()));
}

TEST_F(Calling, the_host_may_poll_for_a_result) {
  const auto values = counted(1 << 20);
  const int* const x = on_device(values);
  const auto four = on_host<int>(0);
  const auto eight = on_host<double>(1);
  for (const std::size_t n : {std::size_t{0}, std::size_t{7}, std::size_t{5000}, values.size()}) {
    const int sum = sum_of(values, n);
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
}

TEST_F(Calling, a_replayed_graph_leaves_its_result_with_the_host) {
  const auto found = on_host<int>(0);
  for (const int n : {5000, 1 << 18}) {
    int* const x = on_device(std::vector<int>(static_cast<std::size_t>(n), 1));
    const Graph graph(stream, [&] {
      ok(reduce(workspace, x, static_cast<std::size_t>(n), found, Sum{}, 0, stream));
    });
    int wrong = 0;
    for (int replay = 0; replay < 1000; ++replay) {
      const int value = replay + 1;  // new value of the middle element
      device->upload(x + n / 2, &value, sizeof value);
      found.clear();
      graph.launch();
      wrong += found.wait() != n + replay;
    }
    EXPECT_EQ(wrong, 0) << n;
  }
}

using BatchCalling = BatchCallingOn<OneGpu>;

/// Sums `factor` times the squares of all elements, and of each row of `length` of them. A separate
/// function, since nvcc accepts no lambda in a test's body.
Runtime::Code sum_squares(const Workspace& one, const BatchWorkspace& many, const int* x,
                          std::size_t n, std::size_t length, long long factor, long long* result,
                          Runtime::Stream stream) {
  const auto squares = transform([factor] __device__(int a) { return factor * a * a; }, x);
  const Runtime::Code code = reduce(one, squares, n, result, Sum{}, 0LL, stream);
  if (code != Runtime::success) return code;
  return reduce_rows(many, squares, n / length, length, length, result + 1, Sum{}, 0, stream);
}

TEST_F(BatchCalling, transform_takes_a_lambda_that_the_host_cannot_call) {
  const std::size_t rows = 3, length = 1000;
  long long* const sums = results(1 + rows, 0LL);
  ok(sum_squares(workspace, batch, on_device(std::vector<int>(rows * length, 2)), rows * length,
                 length, 3, sums, stream));
  EXPECT_EQ(found(sums, 1 + rows, 0LL), (std::vector<long long>{36000, 12000, 12000, 12000}));
}

TEST_F(Calling, the_bits_of_a_sum_are_the_same_each_time) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> some(-1, 1);
  std::vector<float> values(3000001);
  std::ranges::generate(values, [&] { return some(random); });
  const float* const x = on_device(values);
  const auto bits = [&] {
    return std::bit_cast<std::uint32_t>(reduced(x, values.size(), Sum{}, 0.0F));
  };
  const auto first = bits();
  for (int again = 0; again < 100; ++again) EXPECT_EQ(bits(), first);
}

TEST_F(Calling, the_extremes_of_bytes_are_right_wherever_they_stand) {
  std::mt19937 random(3);
  std::vector<signed char> values(70000);
  const auto expect = [&](auto op, signed char extreme, signed char identity, std::size_t n,
                          std::size_t past, std::size_t at) {
    values[past + at] = extreme;
    const signed char* const x = on_device(values) + past;
    EXPECT_EQ(reduced(x, n, op, identity), extreme) << n << " from " << past << ", at " << at;
  };
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{16}, std::size_t{47}, values.size() - 1}) {
    for (const std::size_t past : {0, 1}) {
      for (std::size_t at = 0; at < std::min<std::size_t>(n, 40); ++at) {
        std::ranges::generate(values,
                              [&] { return static_cast<signed char>(random() % 180 - 90); });
        expect(Minimum{}, -128, 127, n, past, at);
        expect(Maximum{}, 100, -128, n, past, at);
      }
    }
  }
}

TEST_F(Calling, what_cannot_be_is_returned_and_nothing_is_launched) {
  const int* const x = on_device(counted(100));
  int* const to = place<int>();
  EXPECT_TRUE(is_invalid_value(reduce(workspace, x, 100, to, Sum{}, 0, stream, {96, 1, 0})));
  EXPECT_TRUE(is_invalid_value(reduce(workspace, x, 100, to, Sum{}, 0, stream, Choice{})));
  EXPECT_FALSE(takes(workspace, x, 100, OnHost<int>{}, Sum{}, 0));
  EXPECT_FALSE(takes(workspace, x, ~std::size_t{0}, to, Sum{}, 0));
  EXPECT_EQ(got<std::uint64_t>(), no_result);
  Workspace refused;
  std::byte* const at = memory->data();
  EXPECT_TRUE(is_invalid_value(make_workspace(&refused, at, 1000, stream)));
  EXPECT_TRUE(is_invalid_value(make_workspace(&refused, nullptr, workspace_bytes(), stream)));
  EXPECT_TRUE(is_invalid_value(make_workspace(&refused, at + 1, workspace_bytes() - 8, stream)));
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
