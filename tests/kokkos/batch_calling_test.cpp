// Tests the features of include/ladder/kokkos/batch.hpp that no other model has, on each space of
// the build.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kokkos/kokkos_passes.hpp"
#include "tests/calling/batch.hpp"

namespace ladder::kokkos {

template <class S>
class KokkosBatch : public BatchCallingOn<S> {};
TYPED_TEST_SUITE(KokkosBatch, Spaces, Named);

TYPED_TEST(KokkosBatch, two_instances_each_keep_their_order) {
  const auto instances = Kokkos::Experimental::partition_space(this->space(), 1, 1);
  const std::size_t count = 1000, length = 300;
  const auto values = small(2 * count * length);
  const int* const x = this->on_device(values);
  int* const rows[] = {this->results(count, -1), this->results(count, -1)};
  int* const all[] = {this->results(1, -1), this->results(1, -1)};
  std::vector<typename TestFixture::template Array<std::uint64_t>> memory;
  BatchWorkspace workspaces[2];
  for (std::size_t i = 0; i < 2; ++i) {
    memory.emplace_back("batch workspace", batch_workspace_words(instances[i]));
    ASSERT_TRUE(make_batch_workspace(&workspaces[i], instances[i], memory[i]));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(reduce_rows(instances[i], workspaces[i], x + i * count * length, count, length,
                            length, rows[i], Sum{}, 0));
  }
  for (std::size_t i = 0; i < 2; ++i) {  // reads the results of the previous call
    ASSERT_TRUE(
        reduce_rows(instances[i], workspaces[i], rows[i], 1, count, count, all[i], Sum{}, 0));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    instances[i].fence();
    EXPECT_EQ(this->found(all[i], 1, 0)[0],
              folded(values.data(), i * count * length, count * length, 1, Sum{}, 0));
  }
}

/// Checks the sums of the rows and columns of a View.
template <class S, class View>
void expect_rows_and_columns(const S& space, const BatchWorkspace& batch, const View& x) {
  using Memory = typename S::memory_space;
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x);
  const Kokkos::View<int*, Memory> rows("rows", x.extent(0)), columns("columns", x.extent(1));
  ASSERT_TRUE(reduce_rows(space, batch, x, rows, Sum{}, 0));
  ASSERT_TRUE(reduce_columns(space, batch, x, columns, Sum{}, 0));
  space.fence();
  const auto by_row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows);
  const auto by_column = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, columns);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    int sum = 0;
    for (std::size_t j = 0; j < x.extent(1); ++j) sum += here(i, j);
    ASSERT_EQ(by_row(i), sum) << "row " << i;
  }
  for (std::size_t j = 0; j < x.extent(1); ++j) {
    int sum = 0;
    for (std::size_t i = 0; i < x.extent(0); ++i) sum += here(i, j);
    ASSERT_EQ(by_column(j), sum) << "column " << j;
  }
}

TYPED_TEST(KokkosBatch, takes_Views_of_either_layout_and_parts_of_them) {
  const auto with_layout = [&]<class Layout>(Layout) {
    const Kokkos::View<int**, Layout, typename TypeParam::memory_space> x("x", 70, 301);
    const auto here = Kokkos::create_mirror_view(x);
    for (std::size_t i = 0; i < x.extent(0); ++i)
      for (std::size_t j = 0; j < x.extent(1); ++j) here(i, j) = static_cast<int>(i * 7 + j % 5);
    Kokkos::deep_copy(x, here);
    expect_rows_and_columns(this->space(), this->batch, x);
    const Kokkos::View<const int**, Layout, typename TypeParam::memory_space> fixed = x;
    expect_rows_and_columns(this->space(), this->batch, fixed);
    using Part = std::pair<std::size_t, std::size_t>;
    const auto part = Kokkos::subview(x, Part(3, 60), Part(1, 200));
    const Kokkos::View<int*, typename TypeParam::memory_space> rows("rows", 57);
    ASSERT_TRUE(reduce_rows(this->space(), this->batch, part, rows, Sum{}, 0));
    this->space().fence();
    int sum = 0;
    for (std::size_t j = 1; j < 200; ++j) sum += here(5, j);
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows)(2), sum);
    const Kokkos::View<int*, typename TypeParam::memory_space> too_few("too few", 56);
    EXPECT_FALSE(reduce_rows(this->space(), this->batch, part, too_few, Sum{}, 0));
  };
  with_layout(Kokkos::LayoutRight{});
  with_layout(Kokkos::LayoutLeft{});
  const Kokkos::View<int**, Kokkos::LayoutStride, typename TypeParam::memory_space> apart(
      "every second", Kokkos::LayoutStride(4, 2, 4, 8));
  const Kokkos::View<int*, typename TypeParam::memory_space> rows("rows", 4);
  EXPECT_FALSE(reduce_rows(this->space(), this->batch, apart, rows, Sum{}, 0)) << "no stride is 1";
}

TYPED_TEST(KokkosBatch, takes_Views_of_segments) {
  using Memory = typename TypeParam::memory_space;
  const Kokkos::View<int*, Memory> x("x", 10), sums("sums", 3);
  const Kokkos::View<std::int64_t*, Memory> offsets("offsets", 4);
  Kokkos::deep_copy(x, 1);
  const auto here = Kokkos::create_mirror_view(offsets);
  here(0) = 0, here(1) = here(2) = 7, here(3) = 10;
  Kokkos::deep_copy(offsets, here);
  ASSERT_TRUE(reduce_segments(this->space(), this->batch, x, offsets, sums, Sum{}, 0));
  this->space().fence();
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, sums);
  EXPECT_EQ(found(0), 7);
  EXPECT_EQ(found(1), 0);
  EXPECT_EQ(found(2), 3);
  const Kokkos::View<int*, Memory> four("four", 4);
  EXPECT_FALSE(reduce_segments(this->space(), this->batch, x, offsets, four, Sum{}, 0));
}

TYPED_TEST(KokkosBatch, extremes_keep_a_NaN_and_know_the_sign_of_a_zero) {
  const std::size_t rows = 3000, columns = 1000, none = rows * columns;
  auto* const by_row = this->results(rows, 5.0F);
  auto* const by_column = this->results(columns, 5.0F);
  const auto expect = [&](float elsewhere, float value, std::size_t at, auto op, float identity) {
    std::vector<float> values(rows * columns, elsewhere);
    if (at != none) values[at] = value;
    const float* const x = this->on_device(values);
    ASSERT_TRUE(
        reduce_rows(this->space(), this->batch, x, rows, columns, columns, by_row, op, identity));
    ASSERT_TRUE(reduce_columns(this->space(), this->batch, x, rows, columns, columns, by_column, op,
                               identity));
    const auto is = [](float found, float wanted) {
      return std::isnan(wanted)
                 ? std::isnan(found)
                 : std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(wanted);
    };
    const auto in_rows = this->found(by_row, rows, 0.0F);
    const auto in_columns = this->found(by_column, columns, 0.0F);
    for (std::size_t r = 0; r < rows; ++r)
      ASSERT_TRUE(is(in_rows[r], r == at / columns ? value : elsewhere)) << "row " << r;
    for (std::size_t c = 0; c < columns; ++c)
      ASSERT_TRUE(is(in_columns[c], c == at % columns && at != none ? value : elsewhere)) << c;
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t at : {none, std::size_t{0}, none / 2 + 7, none - 1}) {
    expect(0.0F, -0.0F, at, Minimum{}, infinity);
    expect(-0.0F, 0.0F, at, Maximum{}, -infinity);
    expect(-2.0F, -7.0F, at, Minimum{}, infinity);
    expect(-2.0F, -1.0F, at, Maximum{}, -infinity);
    expect(3.0F, std::numeric_limits<float>::quiet_NaN(), at, Minimum{}, infinity);
    expect(3.0F, -std::numeric_limits<float>::quiet_NaN(), at, Maximum{}, -infinity);
  }
}

/// A separate function, since nvcc accepts no lambda in a test's body.
template <class S>
bool largest_magnitudes(const S& space, const BatchWorkspace& batch, const float* x,
                        std::size_t rows, std::size_t length, float* result) {
  const auto larger = KOKKOS_LAMBDA(float a, float b) {
    return Kokkos::abs(a) < Kokkos::abs(b) ? Kokkos::abs(b) : Kokkos::abs(a);
  };
  return reduce_rows(space, batch, x, rows, length, length, result, larger, 0.0F);
}

TYPED_TEST(KokkosBatch, takes_a_lambda_as_operation) {
  const std::size_t rows = 50, length = 999;
  std::vector<float> values(rows * length, 0.5F);
  for (std::size_t r = 0; r < rows; ++r)
    values[r * length + 13 * r] = -3.0F - static_cast<float>(r);
  float* const result = this->results(rows, -1.0F);
  ASSERT_TRUE(largest_magnitudes(this->space(), this->batch, this->on_device(values), rows, length,
                                 result));
  const auto found = this->found(result, rows, 0.0F);
  for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(found[r], 3.0F + static_cast<float>(r));
}

}  // namespace ladder::kokkos
