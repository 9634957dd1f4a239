#pragma once

// What every rung of every backend promises, in parts: contract_test.cpp registers them all.

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
  bool takes_whole() const { return info().rung.takes(Grouping::whole); }
};

/// Calls `f(type, operation)` for each pair that the rung carries.
template <class F>
void for_each_carried(const Subject& subject, const F& f) {
  for_each_carried(subject.backend, subject.rung, f);
}

// contract_values.cpp

/// Where extremes stand in n elements that are reduced by such blocks.
using Places = std::vector<std::size_t> (*)(std::size_t n, unsigned block);
inline std::vector<std::size_t> at_the_ends(std::size_t n, unsigned) { return {0, n - 1}; }

/// Reduces the first elements of exact data, as many as each size says, by each of the tunings,
/// with the extremum at each of the places in turn; the first one lies `offset` bytes past a
/// boundary.
void expect_right(const Subject& subject, Type type, Operation operation,
                  const std::vector<std::size_t>& sizes, std::size_t offset = 0,
                  const std::vector<Tuning>& tunings = {Tuning{}}, Places places = at_the_ends);

/// NaN, infinities, zeros and subnormal numbers, as the operation defines its result on them.
void treats_special_values(const Subject& subject);
/// Real data: the error stays within the bound that the rung's own depth gives.
void stays_within_its_bound(const Subject& subject);

// contract_groups.cpp

/// Each group's result of exact data, at every shape and alignment, and nothing behind the last.
void reduces_every_group(const Subject& subject);
/// What makes no results of some groups says so.
void refuses_other_groups(const Subject& subject);

// contract_orders.cpp

/// Results whose bits were not those that were promised.
struct Differing {
  std::size_t runs = 0, count = 0;
  std::string first;
};

/// Floating sums and products of rough and of hostile data, at many sizes, by each of the tunings,
/// against the fixed tree (common/fixed_tree.hpp).
Differing from_the_fixed_tree(const Subject& subject, const std::vector<Tuning>& tunings);
/// Floating sums of such data in several orders, by the tunings in turn, against the exact sum
/// rounded once.
Differing from_the_exact_sum(const Subject& subject, const std::vector<Tuning>& tunings);
/// Floating sums of shuffled data that cancels, by the tunings in turn, against the exact sum:
/// within the bound of twice the precision (common/compensated.hpp), and within one unit in the
/// last place where chains are short.
Differing from_a_compensated_sum(const Subject& subject, const std::vector<Tuning>& tunings);

}  // namespace ladder::tests
