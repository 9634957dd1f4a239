#pragma once

// The contract of every rung of every backend, in parts; contract_test.cpp registers them all.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/model/backend.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::tests {

/// One rung of one backend, opened.
struct Subject {
  Backend& backend;
  std::size_t rung;
  const RungInfo& info() const { return backend.rungs()[rung]; }
  bool has(Axes axis) const { return (info().rung.axes & axis) != 0; }
};

/// Calls `f(type, operation)` for each pair that the rung carries.
template <class F>
void for_each_carried(const Subject& subject, const F& f) {
  for_each_carried(subject.backend, subject.rung, f);
}

// contract_values.cpp

/// Indices at which extremes are planted in n elements, for a block size.
using Places = std::vector<std::size_t> (*)(std::size_t n, unsigned block);
inline std::vector<std::size_t> at_the_ends(std::size_t n, unsigned) { return {0, n - 1}; }

/// Expects right results on prefixes of exact data, for each size and tuning, with the extremum at
/// each of `places` in turn. The data begins `offset` bytes past an aligned address.
void expect_right(const Subject& subject, Type type, Operation operation,
                  const std::vector<std::size_t>& sizes, std::size_t offset = 0,
                  const std::vector<Tuning>& tunings = {Tuning{}}, Places places = at_the_ends);

/// NaN, infinities, zeros and subnormal numbers give the results that the operation defines.
void treats_special_values(const Subject& subject);
/// Real data: the error stays within the bound that the rung's own depth gives.
void stays_within_its_bound(const Subject& subject);

// contract_groups.cpp

/// Exact data at every shape and alignment: each group's result, and no write past the last.
void reduces_every_group(const Subject& subject);
/// A rung refuses each grouping that it does not take, and names the grouping.
void refuses_other_groups(const Subject& subject);

// contract_orders.cpp

/// Results without the promised bits: number of runs, of failures, and the first failure.
struct Differing {
  std::size_t runs = 0, count = 0;
  std::string first;
};

/// Compares floating sums and products of rough and hostile data with the fixed tree
/// (common/fixed_tree.hpp), at many sizes and by each tuning.
Differing from_the_fixed_tree(const Subject& subject, const std::vector<Tuning>& tunings);
/// Compares floating sums of such data in several orders with the exact sum rounded once. The
/// tunings take turns.
Differing from_the_exact_sum(const Subject& subject, const std::vector<Tuning>& tunings);
/// Compares floating sums of shuffled, cancelling data with the exact sum. Bound: that of twice the
/// precision (common/compensated.hpp), or one unit in the last place if chains are short. The
/// tunings take turns.
Differing from_a_compensated_sum(const Subject& subject, const std::vector<Tuning>& tunings);

}  // namespace ladder::tests
