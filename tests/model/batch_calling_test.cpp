// Many reductions at once, called as other code calls them: ladder/cuda/batch.hpp and
// ladder/hip/batch.hpp. What b10 promises of shapes and types is in tests/contract_groups.cpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/model/calling.hpp"
// clang-format off
#include LADDER_TEXT_OF(ladder/LADDER_MODEL/batch.hpp)
// clang-format on

namespace ladder::LADDER_MODEL {
namespace {

struct Square {
  __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};
/// Three numbers, whose vectors do not fill 16 bytes.
struct Counted {
  float count, sum, squares;
  __host__ __device__ explicit Counted(float x) : count(1), sum(x), squares(x * x) {}
  __host__ __device__ Counted(float n, float s, float q) : count(n), sum(s), squares(q) {}
};
struct Together {
  __device__ Counted operator()(const Counted& a, const Counted& b) const {
    return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
  }
};

class BatchCalling : public Calling {
 protected:
  void SetUp() override {
    Calling::SetUp();
    if (IsSkipped()) return;
    batch_memory = device->allocate(batch_workspace_bytes());
    ok(make_batch_workspace(&batch, batch_memory->data(), batch_workspace_bytes(), stream));
  }
  static std::vector<int> some(std::size_t n) {
    std::vector<int> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 25) - 60;
    return values;
  }
  template <class A>
  std::vector<A> downloaded(const A* from, std::size_t count) const {
    std::vector<A> values(count, A(0));
    device->download(values.data(), from, count * sizeof(A));
    return values;
  }

  std::unique_ptr<Buffer> batch_memory;
  BatchWorkspace batch;
};

TEST_F(BatchCalling, rows_of_what_transform_makes_have_their_own_accumulator) {
  for (const std::size_t length : {1U, 4U, 7U, 64U, 250U, 3000U, 70000U}) {
    const std::size_t rows = 37, pitch = length + 5;
    const auto values = some(rows * pitch + 3);
    const int* const x = on_device(values) + 3;
    auto* const sums = on_device(std::vector<long long>(rows, -1));
    ok(reduce_rows(batch, transform(Square{}, x), rows, length, pitch, sums, Sum{}, 0LL, stream));
    const auto found = downloaded(sums, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      long long expected = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const long long value = values[3 + r * pitch + i];
        expected += value * value;
      }
      ASSERT_EQ(found[r], expected) << "row " << r << " of " << length;
    }
  }
}

TEST_F(BatchCalling, columns_take_an_accumulator_of_several_words) {
  const std::size_t rows = 5000, columns = 13;
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
  auto* const result = on_device(std::vector<Counted>(columns, Counted(-1, -1, -1)));
  ok(reduce_columns(batch, on_device(values), rows, columns, columns, result, Together{},
                    Counted(0, 0, 0), stream));
  std::vector<Counted> found(columns, Counted(0, 0, 0));
  device->download(found.data(), result, columns * sizeof(Counted));
  for (std::size_t c = 0; c < columns; ++c) {
    float sum = 0, squares = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      sum += values[r * columns + c];
      squares += values[r * columns + c] * values[r * columns + c];
    }
    EXPECT_EQ(found[c].count, static_cast<float>(rows));
    EXPECT_EQ(found[c].sum, sum);
    EXPECT_EQ(found[c].squares, squares);
  }
}

TEST_F(BatchCalling, segments_take_offsets_of_32_bits) {
  std::vector<int> offsets{0};
  for (int s = 0; s < 20000; ++s)
    offsets.push_back(offsets.back() + s % 9 * (s % 100 == 7 ? 90 : 1));
  const auto n = static_cast<std::size_t>(offsets.back()), count = offsets.size() - 1;
  const auto values = some(n);
  auto* const sums = on_device(std::vector<int>(count, -1));
  ok(reduce_segments(batch, on_device(values), on_device(offsets), count, n, sums, Sum{}, 0,
                     stream));
  const auto found = downloaded(sums, count);
  for (std::size_t s = 0; s < count; ++s) {
    ASSERT_EQ(found[s],
              std::accumulate(values.begin() + offsets[s], values.begin() + offsets[s + 1], 0))
        << "segment " << s;
  }
}

TEST_F(BatchCalling, calls_share_a_workspace_in_the_order_of_their_stream) {
  const auto values = some(3 << 20);
  const int* const x = on_device(values);
  auto* const rows = on_device(std::vector<int>(3, -1));
  auto* const columns = on_device(std::vector<int>(48, -1));
  std::vector<std::vector<int>> first;
  for (int again = 0; again < 200; ++again) {
    ok(reduce_rows(batch, x, 3, 1 << 20, 1 << 20, rows, Sum{}, 0, stream));
    ok(reduce_columns(batch, x, 1 << 16, 48, 48, columns, Sum{}, 0, stream));
    const std::vector<std::vector<int>> found{downloaded(rows, 3), downloaded(columns, 48)};
    if (first.empty()) first = found;
    ASSERT_EQ(found, first) << "call " << again;
  }
  int expected = 0;
  for (std::size_t r = 0; r < 1 << 16; ++r) expected += values[r * 48 + 5];
  EXPECT_EQ(first[1][5], expected);
}

TEST_F(BatchCalling, a_small_workspace_gives_the_same_results) {
  BatchWorkspace small;
  ok(make_batch_workspace(&small, batch_memory->data(), std::size_t{64} << 10, stream));
  const auto values = some(1 << 20);
  const int* const x = on_device(values);
  auto* const sums = on_device(std::vector<int>(1024, -1));
  ok(reduce_columns(small, x, 1024, 1024, 1024, sums, Sum{}, 0, stream));
  const auto found = downloaded(sums, 1024);
  for (std::size_t c = 0; c < 1024; ++c) {
    int expected = 0;
    for (std::size_t r = 0; r < 1024; ++r) expected += values[r * 1024 + c];
    ASSERT_EQ(found[c], expected) << "column " << c;
  }
}

TEST_F(BatchCalling, what_cannot_be_is_refused_and_nothing_is_written) {
  const int* const x = on_device(some(100));
  int* const to = place<int>();
  EXPECT_TRUE(is_invalid_value(reduce_rows(BatchWorkspace{}, x, 2, 5, 5, to, Sum{}, 0, stream)));
  EXPECT_TRUE(is_invalid_value(reduce_rows(batch, x, 2, 5, 4, to, Sum{}, 0, stream)));
  EXPECT_TRUE(is_invalid_value(
      reduce_rows(batch, static_cast<const int*>(nullptr), 2, 5, 5, to, Sum{}, 0, stream)));
  EXPECT_TRUE(is_invalid_value(
      reduce_rows(batch, x, 2, 5, 5, static_cast<int*>(nullptr), Sum{}, 0, stream)));
  EXPECT_TRUE(is_invalid_value(reduce_columns(batch, x, 5, 2, 1, to, Sum{}, 0, stream)));
  EXPECT_TRUE(is_invalid_value(
      reduce_segments(batch, x, static_cast<const int*>(nullptr), 2, 5, to, Sum{}, 0, stream)));
  BatchWorkspace none;
  EXPECT_TRUE(is_invalid_value(make_batch_workspace(&none, batch_memory->data(), 1000, stream)));
  EXPECT_TRUE(is_invalid_value(
      make_batch_workspace(&none, batch_memory->data() + 8, batch_workspace_bytes() - 8, stream)));
  EXPECT_EQ(got<std::uint64_t>(), no_result);
  ok(reduce_rows(batch, x, 0, 5, 5, to, Sum{}, 0, stream));
  EXPECT_EQ(got<std::uint64_t>(), no_result) << "of no rows there is no result";
  ok(reduce_rows(batch, x, 1, 0, 0, to, Minimum{}, 7, stream));
  EXPECT_EQ(got<int>(), 7) << "of an empty row it is the identity";
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
