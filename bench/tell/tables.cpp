#include "bench/tell/tables.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "bench/tell/columns.hpp"
#include "bench/tell/derived.hpp"
#include "bench/tell/digits.hpp"
#include "bench/tell/matrix.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

/// What the rows of one table have in common.
bool same_table(const Measurement& a, const Measurement& b) {
  return a.type == b.type && a.operation == b.operation && a.data == b.data && a.cache == b.cache &&
         a.scope == b.scope;
}

std::string speedup(const std::optional<Speedup>& value, bool named) {
  if (!value) return "";
  return ratio(value->factor, value->uncertainty) + "x" + (named ? " " + value->versus : "");
}

/// The ceiling of each device that the rows are on, best configuration and all.
std::string ceiling_text(const Results& results, const Rows& rows) {
  std::vector<const Ceiling*> ceilings;
  for (const auto* row : rows) {
    const auto* ceiling = results.ceiling_of(row->measurement);
    if (ceiling != nullptr && std::ranges::find(ceilings, ceiling) == ceilings.end()) {
      ceilings.push_back(ceiling);
    }
  }
  std::string text;
  for (const auto* ceiling : ceilings) {
    text += "\n  ceiling " +
            digits_text(ceiling->gbs(), Precision(Statistics(ceiling->best().seconds))) +
            " GB/s (" + std::string(ceiling->device->name()) + ": " + ceiling->configuration() +
            ")";
  }
  return text;
}

/// `which` says which rows they are, where not all.
void print_full(std::ostream& out, const Results& results, const Rows& rows,
                const std::string& which, bool colour) {
  const auto& first = rows.front()->measurement;
  out << "\n"
      << problem_text(first) << ", " << n_text(first) << which << ceiling_text(results, rows)
      << "\n";
  Columns lines({"backend", "rung", "tuning", "time", "GB/s", "% peak", "% ceiling", "step",
                 "total", "spread", "checked"},
                "llrrrrrlrrl");
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung),
                                   tuning_text(m)};
    if (row->good()) {
      const auto statistics = row->statistics();
      const auto derived = derive(results, *row);
      const Precision precision(statistics);
      const bool in_cache = derived.of_peak.value_or(0) > 1;
      const auto more = {seconds_text(statistics.median, precision),
                         digits_text(derived.gbs, precision),
                         in_cache ? "in cache" : percent(derived.of_peak, statistics.uncertainty()),
                         percent(derived.of_ceiling, derived.ceiling_uncertainty),
                         speedup(derived.step, true),
                         speedup(derived.cumulative, false),
                         digits_text(100 * statistics.spread(), {0, 2}) + " %"};
      cells.insert(cells.end(), more);
    }
    cells.resize(10);
    cells.push_back(checked(*row));
    lines.add(cells, colour && !row->good());
  }
  lines.print(out);
}

void print_problem(std::ostream& out, const Results& results, const Rows& rows, bool colour) {
  const auto swept = swept_axes(rows);
  std::map<std::size_t, Rows> by_size;
  for (const auto* row : rows) by_size[row->measurement.n].push_back(row);
  if (swept.empty()) {
    for (const auto& [n, some] : by_size) print_full(out, results, some, "", colour);
    return;
  }
  if (std::ranges::find(swept, nullptr) != swept.end()) {
    print_sweep(out, results, rows, swept);
  } else {
    for (const auto& [n, some] : by_size) print_sweep(out, results, some, swept);
  }
  const auto& largest = by_size.rbegin()->second;
  if (swept.front() == nullptr) {  // over sizes
    print_full(out, results, largest, "", colour);
  } else {
    print_full(out, results, best_tunings(largest), ", the best tuning of each rung", colour);
  }
}

std::string_view words(Floor floor) {
  return floor == Floor::clock ? "two readings of the clock" : "an empty launch";
}

void print_devices(std::ostream& out, const Results& results) {
  for (const auto& [device, backends, peak] : results.plan.devices) {
    out << device->name() << " (";
    for (const auto* backend : backends)
      out << (backend == backends.front() ? "" : ", ") << backend->name();
    out << "): " << device->facts().name << ", theoretical peak "
        << (peak.gbs ? digits_text(*peak.gbs, {0, 4}) + " GB/s" : "unknown") << " (" << peak.source
        << ")";
    for (const auto& floor : results.floors) {
      if (floor.device != device || floor.statistics.count == 0) continue;
      out << ", " << words(floor.what) << " " << seconds_text(floor.statistics.median, {0, 2});
    }
    out << "\n";
  }
}

}  // namespace

void print_skipped(std::ostream& out, const std::vector<Skipped>& skipped) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& item : skipped) by_reason[item.reason].push_back(item.what);
  for (const auto& [reason, items] : by_reason) {
    out << "Skipped (" << reason << "): ";
    for (std::size_t i = 0; i < items.size() && i < 8; ++i) out << (i > 0 ? ", " : "") << items[i];
    if (items.size() > 8) out << " and " << items.size() - 8 << " more";
    out << "\n";
  }
}

void print_tables(std::ostream& out, const Results& results, bool profile, bool colour) {
  print_devices(out, results);
  std::vector<Rows> tables;
  for (const auto& row : results.rows) {
    const auto table = std::ranges::find_if(tables, [&](const auto& rows) {
      return same_table(rows.front()->measurement, row.measurement);
    });
    if (table == tables.end()) {
      tables.push_back({&row});
    } else {
      table->push_back(&row);
    }
  }
  if (profile) {
    for (const auto& row : results.rows)
      out << checked(row) << "  " << row.measurement.name() << "\n";
  } else {
    for (const auto& rows : tables) print_problem(out, results, rows, colour);
    print_cases(out, results, tables);
    out << "\ntuning: " << axes_text()
        << ". GB/s counts each element once (10^9 bytes).\n"
           "step: against the nearest measured rung of its base chain; total: against r02 or c00.\n"
           "spread: 5th to 95th percentile, as a part of the median. Nothing is subtracted from "
           "any time.\n";
  }
  auto skipped = results.plan.skipped;
  skipped.insert(skipped.end(), results.skipped.begin(), results.skipped.end());
  print_skipped(out, skipped);
  for (const auto& note : results.plan.notes) out << "Not run: " << note << "\n";
  for (const auto& row : results.rows) {
    if (!row.error.empty()) out << "ERROR " << row.measurement.name() << ": " << row.error << "\n";
    if (above_ceiling(results, row)) {
      const bool gpu = row.measurement.device().facts().kind == "gpu";
      out << (gpu ? "ERROR " : "Warning: ") << row.measurement.name()
          << ": right, but more than 1 % above the ceiling: the sweep is too weak here, or the "
             "memory too noisy\n";
    }
  }
}

void print_plan(std::ostream& out, const Selection& selection, const Plan& plan) {
  double seconds = 0;
  for (const auto& m : plan.measurements) {
    // A guess to plan with: the time budget, or five samples at a tenth of the peak (2 GB/s where
    // it is unknown).
    const double rate = 1e8 * plan.peak(m.device()).gbs.value_or(20);
    seconds += std::max(selection.quick ? 0.1 : 0.5, 5 * static_cast<double>(m.bytes()) / rate);
  }
  out << plan.measurements.size() << " measurements";
  if (!plan.measurements.empty()) out << ", about " << seconds_text(std::max(1.0, seconds), {0, 2});
  out << "\n";
  for (const auto& [space, bytes] : resident_bytes(plan)) {
    out << size_text(bytes) << " of input in " << space << "\n";
  }
  for (const auto& m : plan.measurements) out << "  " << m.name() << "\n";
  print_skipped(out, plan.skipped);
  for (const auto& note : plan.notes) out << "Not run: " << note << "\n";
}

}  // namespace ladder::bench
