// Tests the GPU kernels of include/ladder/kokkos/batch.hpp on a host, which does not call them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "kokkos/kokkos_passes.hpp"
#include "tests/calling/batch.hpp"

namespace ladder::kokkos {

/// Runs the GPU kernels with a host's loops, as rungs b03 to b07 do: with every kind of input and
/// accumulator, and with few teams, so that several share one group. Only on the first space, since
/// the contract runs these rungs on each.
template <class S>
class GpuKernelsOn : public BatchCallingOn<S> {
 protected:
  std::int64_t wave = 12;

  struct Blocks {
    template <unsigned leaves>
    Unknown operator()(reduce_detail::Threads<leaves>) const {
      return {leaves};
    }
  };
  auto put() const {
    return [this](const auto& kernel, const reduce_detail::League& league) {
      using Kernel = std::remove_cvref_t<decltype(kernel)>;
      EXPECT_LE(league.shared, 64U << 10) << "more scratch than a team has on an AMD GPU";
      Kokkos::TeamPolicy<S> policy(this->space(), static_cast<int>(league.teams), 1,
                                   static_cast<int>(Kernel::vector_length));
      policy.set_scratch_size(0, Kokkos::PerTeam(league.shared));
      Kokkos::parallel_for("test", policy, kernel);
    };
  }
  /// Checks rows and columns of `x`, an input on the host.
  template <class In, class A, class Op>
  void expect_matrix(const In& x, std::size_t rows, std::size_t length, std::size_t pitch, Op op,
                     const A& none) {
    using namespace reduce_detail;
    A* const by_row = this->results(rows, none);
    A* const by_column = this->results(length, none);
    const auto& room = this->batch.partials;
    with_rows(x, rows_of(rows, length, pitch), Blocks{}, wave, room, by_row, op, none, put());
    with_column_tiles(x, rows_of(length, rows, pitch), Blocks{}, wave, room, by_column, op, none,
                      put());
    const auto in_rows = this->found(by_row, rows, none);
    const auto in_columns = this->found(by_column, length, none);
    for (std::size_t r = 0; r < rows; ++r)
      ASSERT_TRUE(in_rows[r] == folded(x, r * pitch, length, 1, op, none))
          << "row " << r << " of " << rows << " by " << length << ", pitch " << pitch;
    for (std::size_t c = 0; c < length; ++c)
      ASSERT_TRUE(in_columns[c] == folded(x, c, rows, pitch, op, none))
          << "column " << c << " of " << rows << " by " << length << ", pitch " << pitch;
  }
  template <class In, class A, class Op>
  void expect_segments(const In& x, const std::vector<int>& offsets, Op op, const A& none) {
    const std::size_t count = offsets.size() - 1;
    A* const to = this->results(count, none);
    const reduce_detail::Segments<int> segments{this->on_device(offsets),
                                                static_cast<std::int64_t>(count), offsets.back()};
    reduce_detail::with_segments(x, segments, Blocks{}, wave, this->batch.partials, to, op, none,
                                 put());
    const auto found = this->found(to, count, none);
    for (std::size_t s = 0; s < count; ++s) {
      const auto first = static_cast<std::size_t>(offsets[s]);
      ASSERT_TRUE(found[s] ==
                  folded(x, first, static_cast<std::size_t>(offsets[s + 1]) - first, 1, op, none))
          << "segment " << s;
    }
  }
  /// Calls `expect(x, op, none)` for every kind of input and accumulator.
  template <class Expect>
  void for_kinds(const int* x, const Expect& expect) {
    const auto bytes = reinterpret_cast<const signed char*>(x);
    for (const std::size_t past : {0U, 1U, 3U}) {
      wave = past == 1 ? 1 : 12;
      expect(x + past, Sum{}, 0);
      expect(bytes + past, Sum{}, std::int64_t{0});
      expect(x + past, Together{}, Counted(0, 0, 0));
      expect(transform(Square{}, x + past), Sum{}, 0LL);
      expect(transform(Times{}, x + past, x), Sum{}, 0);
    }
    const auto* const pairs = reinterpret_cast<const Pair*>(x + 1);
    expect(transform(Index1{}, pairs), Sum{}, 0);
    expect(pairs, AddIndices{}, Indices(0));
  }
  struct Times {
    KOKKOS_FUNCTION int operator()(int a, int b) const { return a * b; }
  };
  /// Of elements of 8 bytes that are aligned to 4.
  struct Indices {
    int sum;
    KOKKOS_FUNCTION explicit Indices(int x) : sum(x) {}
    KOKKOS_FUNCTION explicit Indices(const Pair& pair) : sum(pair.index) {}
    bool operator==(const Indices&) const = default;
  };
  struct AddIndices {
    KOKKOS_FUNCTION Indices operator()(const Indices& a, const Indices& b) const {
      return Indices(a.sum + b.sum);
    }
  };
  struct Index1 {
    KOKKOS_FUNCTION int operator()(const Pair& pair) const { return pair.index; }
  };
};
using FirstSpace = testing::Types<std::variant_alternative_t<0, AnySpace>>;  // GPUs come first
TYPED_TEST_SUITE(GpuKernelsOn, FirstSpace, Named);

TYPED_TEST(GpuKernelsOn, reduce_rows_and_columns_of_every_input) {
  if constexpr (!reduce_detail::on_host<TypeParam>) {
    GTEST_SKIP() << "a GPU runs them in all tests";
  } else {
    const auto values = small(300000);
    const int* const x = this->on_device(values);
    for (const auto& [rows, length, gap] : {std::array<std::size_t, 3>{1, 1, 0},
                                            {5, 4, 4},
                                            {300, 17, 0},
                                            {100, 100, 28},
                                            {3, 40000, 1},
                                            {1, 140000, 0},
                                            {2000, 12, 3},
                                            {40, 12, 40},
                                            {7, 3000, 0}}) {
      this->for_kinds(x, [&](const auto& in, const auto& op, const auto& none) {
        this->expect_matrix(in, rows, length, length + gap, op, none);
      });
    }
  }
}

TYPED_TEST(GpuKernelsOn, reduce_segments_of_every_input) {
  if constexpr (!reduce_detail::on_host<TypeParam>) {
    GTEST_SKIP() << "a GPU runs them in all tests";
  } else {
    const auto values = small(300000);
    const int* const x = this->on_device(values);
    for (const int most : {0, 3, 100, 5000, 40000}) {
      std::vector<int> offsets(1000, 0);  // empty ones at both ends
      for (int s = 0; s < 4000; ++s)
        offsets.push_back(offsets.back() + (offsets.back() > 120000 ? 0 : s * 7919 % (most + 1)));
      this->for_kinds(x, [&](const auto& in, const auto& op, const auto& none) {
        this->expect_segments(in, offsets, op, none);
      });
    }
  }
}

/// More bytes than a tile of rows has for an element of each thread.
struct Large {
  std::array<long long, 40> at{};

  Large() = default;
  LADDER_TEST_FUNCTION explicit Large(int x) { at[0] = at[39] = x; }
  bool operator==(const Large&) const = default;
};
struct LargeSum {
  LADDER_TEST_FUNCTION Large operator()(Large a, const Large& b) const {
    for (std::size_t k = 0; k < a.at.size(); ++k) a.at[k] += b.at[k];
    return a;
  }
};

TYPED_TEST(GpuKernelsOn, fit_scratch_with_a_large_accumulator) {
  if constexpr (!reduce_detail::on_host<TypeParam>) {
    GTEST_SKIP() << "a GPU runs them in all tests";
  } else {
    const auto values = small(40000);
    const int* const x = this->on_device(values);
    for (const std::size_t length : {1U, 4U, 17U, 300U}) {
      this->expect_matrix(x, 30, length, length, LargeSum{}, Large());
      const auto products = transform(typename TestFixture::Times{}, x, x);  // staged as Large
      this->expect_matrix(products, 30, length, length, LargeSum{}, Large());
    }
  }
}

}  // namespace ladder::kokkos
