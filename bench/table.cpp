#include "bench/table.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "bench/cells.hpp"
#include "bench/compare.hpp"
#include "bench/grid.hpp"
#include "bench/matrix.hpp"

namespace ladder::bench {
namespace {

/// What the rows of one table have in common.
bool same_table(const Measurement& a, const Measurement& b) {
  return a.type == b.type && a.operation == b.operation && a.data == b.data && a.cache == b.cache &&
         a.scope == b.scope;
}

std::string tuning_text(const Measurement& m) {
  const auto axes = m.info().rung.axes;
  std::string text;
  const auto part = [&](unsigned which, const char* label, unsigned value) {
    if ((axes & which) != 0)
      text += (text.empty() ? "" : " ") + std::string(label) + std::to_string(value);
  };
  part(block_axis, "b", m.tuning.block);
  part(grid_axis, "g", m.tuning.grid);
  part(items_axis, "i", m.tuning.items);
  part(workers_axis, "w", m.tuning.workers);
  const auto place = place_text(m);
  return text + (text.empty() || place.empty() ? "" : " ") + place;
}

std::string speedup(const std::optional<Speedup>& value, bool named) {
  if (!value) return "";
  return ratio(value->factor, value->uncertainty) + "x" + (named ? " " + value->versus : "");
}

/// The ceiling of each memory space that the rows are in, best configuration and all.
std::string ceiling_text(const Study& study, const Rows& rows) {
  std::vector<const Ceiling*> ceilings;
  for (const auto* row : rows) {
    const auto* ceiling = study.ceiling_of(row->measurement);
    if (ceiling != nullptr && std::ranges::find(ceilings, ceiling) == ceilings.end()) {
      ceilings.push_back(ceiling);
    }
  }
  std::string text;
  for (const auto* ceiling : ceilings) {
    const auto& best = ceiling->best();
    text += "\n  ceiling " +
            number_text(ceiling->gbs(), Statistics(best.seconds).digits(ceiling->gbs())) +
            " GB/s (" + std::string(best.backend->name()) + ": " +
            best.backend->ceiling_configurations()[best.configuration] + ")";
  }
  return text;
}

/// `which` says which rows they are, where not all.
void print_full(std::ostream& out, const Study& study, const Rows& rows, const std::string& which,
                bool colour) {
  const auto& first = rows.front()->measurement;
  out << "\n"
      << problem_text(first) << ", " << size_text(first) << which << ceiling_text(study, rows)
      << "\n";
  Grid grid({"backend", "rung", "tuning", "time", "GB/s", "% peak", "% ceiling", "step", "total",
             "spread", "checked"},
            "llrrrrrlrrl");
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    const std::string who = full_name(m.info().rung);
    if (!row->good()) {
      grid.add({std::string(m.backend->name()), who, tuning_text(m), "", "", "", "", "", "", "",
                checked(*row)},
               colour);
      continue;
    }
    const auto statistics = row->statistics();
    const auto comparison = compare(study, *row);
    const bool in_cache = comparison.of_peak.value_or(0) > 1;
    grid.add({std::string(m.backend->name()), who, tuning_text(m),
              seconds_text(statistics.median, statistics.digits(statistics.median)),
              number_text(comparison.gbs, statistics.digits(comparison.gbs)),
              in_cache ? "in cache" : percent(comparison.of_peak, statistics.uncertainty()),
              percent(comparison.of_ceiling, comparison.ceiling_uncertainty),
              speedup(comparison.step, true), speedup(comparison.cumulative, false),
              number_text(100 * statistics.spread(), 2) + " %", checked(*row)});
  }
  grid.print(out);
}

void print_problem(std::ostream& out, const Study& study, const Rows& rows, bool colour) {
  const auto swept = swept_axes(rows);
  std::map<std::size_t, Rows> by_size;
  for (const auto* row : rows) by_size[row->measurement.n].push_back(row);
  if (swept.empty()) {
    for (const auto& [n, some] : by_size) print_full(out, study, some, "", colour);
    return;
  }
  if (sweeps_sizes(swept)) {
    print_sweep(out, study, rows, swept);
  } else {
    for (const auto& [n, some] : by_size) print_sweep(out, study, some, swept);
  }
  const auto& largest = by_size.rbegin()->second;
  if (over_sizes(swept)) {
    print_full(out, study, largest, "", colour);
  } else {
    print_full(out, study, best_tunings(largest), ", the best tuning of each rung", colour);
  }
}

void print_devices(std::ostream& out, const Study& study) {
  const auto& plan = study.plan();
  for (std::size_t i = 0; i < plan.backends.size(); ++i) {
    const auto& backend = *plan.backends[i];
    const auto& peak = plan.peaks[i];
    out << backend.name() << ": " << backend.facts().name << ", theoretical peak "
        << (peak.gbs ? number_text(*peak.gbs, 4) + " GB/s" : "unknown") << " (" << peak.source
        << ")";
    for (const auto& floor : study.floors()) {
      if (floor.backend != &backend || floor.statistics.count == 0) continue;
      out << ", " << floor.what << " " << seconds_text(floor.statistics.median, 2);
    }
    out << "\n";
  }
}

Json describe(const Rung& rung) {
  return {{"id", rung.id},     {"slug", rung.slug},       {"base", rung.base},
          {"idea", rung.idea}, {"sources", rung.sources}, {"axes", rung.axes}};
}

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

}  // namespace

void print_tables(std::ostream& out, const Study& study, bool profile, bool colour) {
  print_devices(out, study);
  std::vector<Rows> tables;
  for (const auto& row : study.rows()) {
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
    for (const auto& row : study.rows())
      out << checked(row) << "  " << row.measurement.name() << "\n";
  } else {
    for (const auto& rows : tables) print_problem(out, study, rows, colour);
    print_cases(out, study, tables);
    out << "\ntuning: b block, g grid, i items, w workers. GB/s counts each element once (10^9 "
           "bytes).\n"
           "step: against the nearest measured rung of its base chain; total: against r02 or c00.\n"
           "spread: 5th to 95th percentile, as a part of the median. Nothing is subtracted from "
           "any "
           "time.\n";
  }
  print_skipped(out, study.plan().skipped);
  for (const auto& note : study.plan().notes) out << "Not run: " << note << "\n";
  for (const auto& row : study.rows()) {
    if (!row.error.empty()) out << "ERROR " << row.measurement.name() << ": " << row.error << "\n";
    if (above_ceiling(study, row)) {
      const bool gpu = row.measurement.backend->facts().kind == "gpu";
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
    const double rate = 1e8 * plan.peak(m.backend).gbs.value_or(20);
    seconds += std::max(selection.quick ? 0.1 : 0.5, 5 * static_cast<double>(m.bytes()) / rate);
  }
  out << plan.measurements.size() << " measurements";
  if (!plan.measurements.empty()) out << ", about " << seconds_text(std::max(1.0, seconds), 2);
  out << "\n";
  for (const auto& [space, bytes] : resident_bytes(plan)) {
    out << bytes_text(static_cast<double>(bytes)) << " of input in " << space << "\n";
  }
  for (const auto& m : plan.measurements) out << "  " << m.name() << "\n";
  print_skipped(out, plan.skipped);
  for (const auto& note : plan.notes) out << "Not run: " << note << "\n";
}

void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json) {
  Json list = Json::array();
  Grid grid({"backend", "rung", "base", "idea", "here"}, "lllll");
  for (const auto& backend : backends) {
    for (std::size_t i = 0; i < backend->rungs().size(); ++i) {
      const auto& info = backend->rungs()[i];
      Json carried = Json::array();
      for (const auto& type : types) {
        for (const auto& operation : operations) {
          if (!backend->carries(i, type.type, operation.operation)) continue;
          carried.push_back(std::string(type.name) + " " + std::string(operation.name));
        }
      }
      grid.add({std::string(backend->name()), full_name(info.rung), std::string(info.rung.base),
                std::string(info.rung.idea),
                info.why_absent.empty() ? std::to_string(carried.size()) + " type-operation pairs"
                                        : "absent: " + std::string(info.why_absent)});
      Json line = describe(info.rung);
      line.update({{"backend", backend->name()},
                   {"library", info.library},
                   {"blocks", info.blocks},
                   {"absent", info.why_absent},
                   {"carries", carried}});
      list.push_back(line);
    }
  }
  if (!json) {
    grid.print(out);
    return;
  }
  Json ladders{{"device", Json::array()}, {"cpu", Json::array()}};
  for (const auto& rung : device_ladder) ladders["device"].push_back(describe(rung));
  for (const auto& rung : cpu_ladder) ladders["cpu"].push_back(describe(rung));
  out << Json{{"ladders", ladders}, {"rungs", list}}.dump(1) << "\n";
}

}  // namespace ladder::bench
