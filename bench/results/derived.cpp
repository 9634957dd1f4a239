#include <algorithm>
#include <cmath>

#include "bench/results/results.hpp"

namespace ladder::bench {
namespace {

bool same_problem(const Measurement& a, const Measurement& b) {
  return a.backend == b.backend && a.type == b.type && a.operation == b.operation && a.n == b.n &&
         a.shape == b.shape && a.data == b.data && a.cache == b.cache && a.scope == b.scope;
}

/// True if call overhead dominates the row's time: less than twice an empty call.
bool lost_in_calls(const Results& results, const Row& row) {
  if (row.calls == 1) return false;
  return std::ranges::any_of(results.floors, [&](const FloorTime& floor) {
    return floor.what == Floor::call && floor.device == &row.measurement.device() &&
           row.time().median < 2 * floor.statistics.median;
  });
}

/// The row of rung `id` on the same problem: most tuning values in common, then the fastest.
const Row* find(const Results& results, const Row& row, std::string_view id) {
  const Row* found = nullptr;
  std::ptrdiff_t most = -1;
  double least = 0;
  for (const auto& other : results.rows) {
    const auto& m = other.measurement;
    if (m.info().rung.id != id || !other.good() || !same_problem(m, row.measurement)) continue;
    if (lost_in_calls(results, other)) continue;
    const auto common = std::ranges::count_if(tuning_axes, [&](const Axis& axis) {
      return row.measurement.tuning.*axis.member == m.tuning.*axis.member;
    });
    const double time = other.time().median;
    if (common > most || (common == most && time < least)) {
      found = &other;
      most = common;
      least = time;
    }
  }
  return found;
}

}  // namespace

Derived derive(const Results& results, const Row& row) {
  Derived derived;
  const auto& m = row.measurement;
  derived.time = row.time();
  derived.gbs = static_cast<double>(m.bytes()) / derived.time.median * 1e-9;
  if (const auto peak = results.plan.peak(m.device()).gbs) derived.of_peak = derived.gbs / *peak;
  if (lost_in_calls(results, row)) return derived;
  const auto times = row.times();
  const double own = row.statistics().uncertainty;
  if (const auto* ceiling = results.ceiling_of(m)) {
    std::vector<double> rates;
    for (const double time : times) rates.push_back(static_cast<double>(m.bytes()) / time * 1e-9);
    const double swept = Statistics(ceiling->best().seconds).uncertainty;
    const auto part = quotient(rates, ceiling->all_gbs(), std::hypot(own, swept));
    derived.of_ceiling = part.mean;
    derived.ceiling_uncertainty = part.uncertainty;
  }

  const auto against = [&](const Row& other) {
    const auto both =
        quotient(other.times(), times, std::hypot(own, other.statistics().uncertainty));
    return Speedup{std::string(other.measurement.info().rung.id), both.mean, both.uncertainty};
  };
  for (auto base = m.info().rung.base; !base.empty() && !derived.step;) {
    if (const auto* ancestor = find(results, row, base)) derived.step = against(*ancestor);
    const auto rungs = m.backend->rungs();
    const auto its =
        std::ranges::find(rungs, base, [](const RungInfo& one) { return one.rung.id; });
    base = its == rungs.end() ? "" : its->rung.base;
  }
  for (const std::string_view start : {"r02", "c00"}) {
    const auto* other = m.info().rung.id == start ? nullptr : find(results, row, start);
    if (other != nullptr) derived.cumulative = against(*other);
  }
  return derived;
}

bool above_ceiling(const Results& results, const Row& row) {
  const auto& m = row.measurement;
  if (!row.good() || m.bytes() < uncached_size(m.device().facts())) return false;
  const auto* ceiling = results.ceiling_of(m);
  return ceiling != nullptr && derive(results, row).of_ceiling.value_or(0) > 1.01;
}

}  // namespace ladder::bench
