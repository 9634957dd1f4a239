#include "bench/compare.hpp"

#include <cmath>

#include "bench/study.hpp"

namespace ladder::bench {
namespace {

bool same_problem(const Measurement& a, const Measurement& b) {
  return a.backend == b.backend && a.type == b.type && a.operation == b.operation && a.n == b.n &&
         a.data == b.data && a.place == b.place && a.cache == b.cache && a.scope == b.scope;
}

/// The row of rung `id` on the same problem: the one with the most of the tuning in common, then
/// the fastest.
const Row* find(const Study& study, const Row& row, std::string_view id) {
  const Row* found = nullptr;
  int most = -1;
  double least = 0;
  for (const auto& other : study.rows()) {
    const auto& m = other.measurement;
    if (m.info().rung.id != id || !other.good() || !same_problem(m, row.measurement)) continue;
    const auto &mine = row.measurement.tuning, &its = m.tuning;
    const int common = (mine.block == its.block) + (mine.grid == its.grid) +
                       (mine.items == its.items) + 4 * (mine.workers == its.workers);
    const double median = other.statistics().median;
    if (common > most || (common == most && median < least)) {
      found = &other;
      most = common;
      least = median;
    }
  }
  return found;
}

const Rung* rung_named(const Backend& backend, std::string_view id) {
  for (const auto& info : backend.rungs()) {
    if (info.rung.id == id) return &info.rung;
  }
  return nullptr;
}

}  // namespace

Comparison compare(const Study& study, const Row& row) {
  Comparison comparison;
  const auto& m = row.measurement;
  const double median = row.statistics().median;
  comparison.gbs = static_cast<double>(m.bytes()) / median * 1e-9;
  if (const auto peak = study.plan().peak(m.backend).gbs)
    comparison.of_peak = comparison.gbs / *peak;
  const double uncertainty = row.statistics().uncertainty();
  if (const auto* ceiling = study.ceiling_of(m)) {
    comparison.of_ceiling = comparison.gbs / ceiling->gbs();
    comparison.ceiling_uncertainty =
        std::hypot(uncertainty, Statistics(ceiling->best().seconds).uncertainty());
  }

  const auto against = [&](const Row& other) {
    const auto its = other.statistics();
    return Speedup{std::string(other.measurement.info().rung.id), its.median / median,
                   std::hypot(uncertainty, its.uncertainty())};
  };
  for (auto base = m.info().rung.base; !base.empty() && !comparison.step;) {
    if (const auto* ancestor = find(study, row, base)) comparison.step = against(*ancestor);
    const auto* rung = rung_named(*m.backend, base);
    base = rung != nullptr ? rung->base : std::string_view{};
  }
  for (const std::string_view start : {"r02", "c00"}) {
    const auto* other = m.info().rung.id == start ? nullptr : find(study, row, start);
    if (other != nullptr) comparison.cumulative = against(*other);
  }
  return comparison;
}

bool above_ceiling(const Study& study, const Row& row) {
  const auto& m = row.measurement;
  if (!row.good() || m.bytes() < memory_size(m.backend->facts())) return false;
  const auto* ceiling = study.ceiling_of(m);
  return ceiling != nullptr && compare(study, row).gbs > 1.01 * ceiling->gbs();
}

Json summary(const Study& study, const Row& row) {
  const auto& m = row.measurement;
  const auto statistics = row.statistics();
  Json json{{"id", m.id()},
            {"name", m.name()},
            {"count", statistics.count},
            {"wrong", row.wrong},
            {"failed", row.failed},
            {"discarded", row.discarded},
            {"error", row.error.empty() ? Json(nullptr) : Json(row.error)}};
  if (!row.good()) return json;
  const auto comparison = compare(study, row);
  const auto optional = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  const auto speedup = [](const std::optional<Speedup>& value) {
    return value ? Json{{"versus", value->versus},
                        {"factor", value->factor},
                        {"uncertainty", value->uncertainty}}
                 : Json(nullptr);
  };
  json.update({{"median", statistics.median},
               {"p5", statistics.p5},
               {"p95", statistics.p95},
               {"uncertainty", statistics.uncertainty()},
               {"gbs", comparison.gbs},
               {"of_peak", optional(comparison.of_peak)},
               {"of_ceiling", optional(comparison.of_ceiling)},
               {"of_ceiling_uncertainty", comparison.ceiling_uncertainty},
               {"step", speedup(comparison.step)},
               {"cumulative", speedup(comparison.cumulative)},
               {"elements_per_second", static_cast<double>(m.n) / statistics.median},
               {"ulps", row.ulps},
               {"bound_vacuous", row.vacuous}});
  return json;
}

}  // namespace ladder::bench
