// Tests many reductions at once as user code calls them, in every model. tests/contract_groups.cpp
// tests the shapes and types of b10.

#include "tests/calling/batch.hpp"

namespace ladder::LADDER_MODEL {

TYPED_TEST_SUITE(BatchCallingOn, Spaces, Named);

TYPED_TEST(BatchCallingOn, rows_of_what_transform_makes_have_their_own_accumulator) {
  for (const std::size_t length : {1U, 4U, 7U, 64U, 250U, 3000U, 70000U}) {
    const std::size_t rows = 37, pitch = length + 5;
    const auto values = small(rows * pitch + 3);
    const int* const x = this->on_device(values) + 3;
    auto* const sums = this->results(rows, -1LL);
    ASSERT_TRUE(
        this->rows(this->batch, transform(Square{}, x), rows, length, pitch, sums, Sum{}, 0LL));
    const auto found = this->found(sums, rows, 0LL);
    const auto squares = transform(Square{}, values.data() + 3);
    for (std::size_t r = 0; r < rows; ++r)
      ASSERT_EQ(found[r], folded(squares, r * pitch, length, 1, Sum{}, 0LL))
          << r << " of " << length;
  }
}

TYPED_TEST(BatchCallingOn, columns_of_what_transform_makes_are_those_of_its_values) {
  const std::size_t rows = 500, columns = 64;
  const auto values = small(rows * columns + 1);
  const int* const x = this->on_device(values);
  auto* const sums = this->results(columns, -1LL);
  for (const std::size_t past : {0U, 1U}) {  // read in vectors, and one by one
    ASSERT_TRUE(this->columns(this->batch, transform(Square{}, x + past), rows, columns, columns,
                              sums, Sum{}, 0LL));
    const auto found = this->found(sums, columns, 0LL);
    const auto squares = transform(Square{}, values.data() + past);
    for (std::size_t c = 0; c < columns; ++c)
      ASSERT_EQ(found[c], folded(squares, c, rows, columns, Sum{}, 0LL)) << c << " from " << past;
  }
}

TYPED_TEST(BatchCallingOn, columns_take_an_accumulator_of_several_words) {
  const std::size_t rows = 5000, columns = 13;
  const auto values = small(rows * columns);
  const Counted none(0, 0, 0);
  auto* const result = this->results(columns, Counted(-1, -1, -1));
  ASSERT_TRUE(this->columns(this->batch, this->on_device(values), rows, columns, columns, result,
                            Together{}, none));
  const auto found = this->found(result, columns, none);
  for (std::size_t c = 0; c < columns; ++c)
    EXPECT_TRUE(found[c] == folded(values.data(), c, rows, columns, Together{}, none)) << c;
}

/// 48 bytes: the values of a whole block do not fit in shared memory.
struct Six {
  long long at[6];
  LADDER_TEST_FUNCTION explicit Six(int x) {
    for (int i = 0; i < 6; ++i) at[i] = x * i;
  }
  bool operator==(const Six&) const = default;
};
struct AddSix {
  LADDER_TEST_FUNCTION Six operator()(Six a, const Six& b) const {
    for (int i = 0; i < 6; ++i) a.at[i] += b.at[i];
    return a;
  }
};

TYPED_TEST(BatchCallingOn, wide_accumulators_of_narrow_elements_get_smaller_blocks) {
  const std::size_t rows = 3000, columns = 32;
  const auto values = small(rows * columns);
  const std::vector<signed char> bytes(values.begin(), values.end());
  auto* const sums = this->results(columns, -1LL);
  ASSERT_TRUE(
      this->columns(this->batch, this->on_device(bytes), rows, columns, columns, sums, Sum{}, 0LL));
  const auto by_column = this->found(sums, columns, 0LL);
  for (std::size_t c = 0; c < columns; ++c)
    EXPECT_EQ(by_column[c], folded(bytes.data(), c, rows, columns, Sum{}, 0LL)) << c;

  const std::vector<int> offsets{0, 5, 5, 7000, 7001, 96000};
  auto* const sixes = this->results(5, Six(-1));
  ASSERT_TRUE(this->segments(this->batch, this->on_device(values), this->on_device(offsets), 5,
                             96000, sixes, AddSix{}, Six(0)));
  const auto found = this->found(sixes, 5, Six(0));
  for (std::size_t s = 0; s < 5; ++s) {
    const auto first = static_cast<std::size_t>(offsets[s]),
               last = static_cast<std::size_t>(offsets[s + 1]);
    EXPECT_TRUE(found[s] == folded(values.data(), first, last - first, 1, AddSix{}, Six(0))) << s;
  }
}

/// An element that fills vectors and has no default constructor.
struct Cents {
  int value;
  LADDER_TEST_FUNCTION explicit Cents(int x) : value(x) {}
  LADDER_TEST_FUNCTION explicit operator int() const { return value; }
};

TYPED_TEST(BatchCallingOn, segments_take_offsets_of_32_bits_and_may_be_empty) {
  std::vector<int> offsets{0};
  for (int s = 0; s < 20000; ++s)
    offsets.push_back(offsets.back() + s % 9 * (s % 100 == 7 ? 90 : 1));
  const auto n = static_cast<std::size_t>(offsets.back()), count = offsets.size() - 1;
  const auto values = small(n);
  const auto* const x = reinterpret_cast<const Cents*>(this->on_device(values));
  auto* const sums = this->results(count, -1);
  ASSERT_TRUE(this->segments(this->batch, x, this->on_device(offsets), count, n, sums, Sum{}, 0));
  const auto found = this->found(sums, count, 0);
  for (std::size_t s = 0; s < count; ++s) {
    const auto first = static_cast<std::size_t>(offsets[s]),
               last = static_cast<std::size_t>(offsets[s + 1]);
    ASSERT_EQ(found[s], folded(values.data(), first, last - first, 1, Sum{}, 0)) << "segment " << s;
  }
}

TYPED_TEST(BatchCallingOn, calls_share_a_workspace_in_their_order) {
  const auto values = small(3 << 20);
  const int* const x = this->on_device(values);
  auto* const rows = this->results(3, -1);
  auto* const columns = this->results(48, -1);
  std::vector<int> by_row, by_column;
  for (std::size_t r = 0; r < 3; ++r)
    by_row.push_back(folded(values.data(), r << 20, 1 << 20, 1, Sum{}, 0));
  for (std::size_t c = 0; c < 48; ++c)
    by_column.push_back(folded(values.data(), c, 1 << 16, 48, Sum{}, 0));
  for (int again = 0; again < this->many; ++again) {
    ASSERT_TRUE(this->rows(this->batch, x, 3, 1 << 20, 1 << 20, rows, Sum{}, 0));
    ASSERT_TRUE(this->columns(this->batch, x, 1 << 16, 48, 48, columns, Sum{}, 0));
    ASSERT_EQ(this->found(rows, 3, 0), by_row) << "call " << again;
    ASSERT_EQ(this->found(columns, 48, 0), by_column) << "call " << again;
  }
}

TYPED_TEST(BatchCallingOn, the_smallest_workspace_gives_the_same_results) {
  ASSERT_TRUE(this->made_with(64 << 10));
  const std::size_t rows = 4096, columns = 1024;
  const auto values = small(rows * columns);
  auto* const sums = this->results(columns, -1);
  ASSERT_TRUE(
      this->columns(this->batch, this->on_device(values), rows, columns, columns, sums, Sum{}, 0));
  const auto found = this->found(sums, columns, 0);
  for (std::size_t c = 0; c < columns; ++c)
    ASSERT_EQ(found[c], folded(values.data(), c, rows, columns, Sum{}, 0)) << "column " << c;
}

TYPED_TEST(BatchCallingOn, what_cannot_be_is_refused_and_nothing_is_written) {
  const BatchWorkspace& made = this->batch;
  const int* const x = this->on_device(small(100));
  const int* const nothing = nullptr;
  int* const nowhere = nullptr;
  int* const to = this->template place<int>();
  EXPECT_FALSE(this->rows(BatchWorkspace{}, x, 2, 5, 5, to, Sum{}, 0));
  EXPECT_FALSE(this->rows(made, x, 2, 5, 4, to, Sum{}, 0)) << "a pitch below the length";
  EXPECT_FALSE(this->rows(made, nothing, 2, 5, 5, to, Sum{}, 0));
  EXPECT_FALSE(this->rows(made, x, 2, 5, 5, nowhere, Sum{}, 0));
  EXPECT_FALSE(this->columns(made, x, 5, 2, 1, to, Sum{}, 0));
  EXPECT_FALSE(this->columns(made, nothing, 5, 2, 2, to, Sum{}, 0));
  EXPECT_FALSE(this->segments(made, x, nothing, 2, 5, to, Sum{}, 0));
  EXPECT_EQ(this->template got<std::uint64_t>(), no_result);
  EXPECT_TRUE(this->rows(made, x, 0, 5, 5, to, Sum{}, 0));
  EXPECT_EQ(this->template got<std::uint64_t>(), no_result) << "of no rows there is no result";
  EXPECT_TRUE(this->rows(made, nothing, 0, 5, 5, nowhere, Sum{}, 0)) << "nothing is used";
  EXPECT_TRUE(this->columns(made, nothing, 5, 0, 0, nowhere, Sum{}, 0));
  EXPECT_TRUE(this->segments(made, nothing, nothing, 0, 0, nowhere, Sum{}, 0));
  EXPECT_TRUE(this->rows(made, nothing, 1, 0, 0, to, Minimum{}, 7));
  EXPECT_EQ(this->template got<int>(), 7) << "of an empty row it is the identity";
  EXPECT_TRUE(this->columns(made, nothing, 0, 1, 1, to, Minimum{}, 8));
  EXPECT_EQ(this->template got<int>(), 8) << "of an empty column too";
  const int* const offsets = this->on_device(std::vector<int>{0, 0});
  EXPECT_TRUE(this->segments(made, nothing, offsets, 1, 0, to, Minimum{}, 9));
  EXPECT_EQ(this->template got<int>(), 9) << "of an empty segment too";
  EXPECT_FALSE(this->made_with((64 << 10) - 8)) << "too small";
  EXPECT_FALSE(this->made_with(64 << 10, 8)) << "not aligned to 16 bytes";
}

}  // namespace ladder::LADDER_MODEL
