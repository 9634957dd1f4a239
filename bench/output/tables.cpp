#include "bench/output/tables.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <span>

#include "bench/output/built.hpp"
#include "bench/output/columns.hpp"
#include "bench/output/matrix.hpp"
#include "bench/results/derived.hpp"
#include "bench/results/digits.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

std::string speedup(const std::optional<Speedup>& value, bool named) {
  if (!value) return "";
  return ratio(value->factor, value->uncertainty) + "x" + (named ? " " + value->versus : "");
}

constexpr const char* weak_sweep = "sweep too weak";

/// In percent, but for what is read faster than by the sweep, on a CPU: it wakes all workers, which
/// takes longer than to read little, and is no ceiling at such a size.
std::string of_ceiling_text(const Measurement& m, const Derived& derived) {
  const bool weak = derived.of_ceiling.value_or(0) > 1.01 && m.device().facts().kind == "cpu";
  return weak ? weak_sweep : percent(derived.of_ceiling, derived.ceiling_uncertainty);
}

/// The ceiling of each device that the rows are on, best configuration and all.
std::string ceiling_text(const Results& results, const Rows& rows) {
  std::string text;
  for (const auto& ceiling : results.ceilings) {
    const bool of_these = std::ranges::any_of(
        rows, [&](const Row* row) { return results.ceiling_of(row->measurement) == &ceiling; });
    if (!of_these) continue;
    const auto gbs = ceiling.gbs();
    text += concat("\n  ceiling ", digits_text(gbs.value, Precision(gbs.uncertainty)), " GB/s (",
                   ceiling.device->name(), ": ", ceiling.configuration(), ")");
  }
  return text;
}

/// Keeps the table within so many columns: short names first, then what matters least goes.
/// Returns what was left out, in words.
std::string fit(Columns& lines, std::size_t columns) {
  if (lines.total_width() > columns)
    lines.shorten("rung", [](const std::string& rung) {
      return rung.starts_with("library_") ? rung : rung.substr(0, rung.find('_'));
    });
  std::vector<std::string> left_out;
  for (const auto* head : {"spread", "total", "step", "% peak", "backend"}) {
    if (lines.total_width() <= columns) break;
    lines.drop(head);
    left_out.emplace_back(head);
  }
  return join(left_out);
}

/// `which` says which rows they are, where not all.
void print_full(std::ostream& out, const Results& results, const Rows& rows,
                const std::string& which, const Style& style) {
  const auto& first = rows.front()->measurement;
  out << "\n"
      << problem_text(first) << ", " << n_text(first) << which << ceiling_text(results, rows)
      << "\n";
  const bool several = !rows.front()->others.empty();
  Columns lines({"backend", "rung", "tuning", "time", "GB/s", "% peak", "% ceiling", "step",
                 "total", several ? "± 95 %" : "spread", "checked"},
                "llrrrrrlrrl");
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung),
                                   tuning_text(m)};
    if (row->good()) {
      const auto derived = derive(results, *row);
      const double uncertainty = derived.time.uncertainty;
      const Precision precision(uncertainty);
      const bool in_cache = derived.of_peak.value_or(0) > 1;
      const auto more = {seconds_text(derived.time.value, precision),
                         digits_text(derived.gbs, precision),
                         in_cache ? "in cache" : percent(derived.of_peak, uncertainty),
                         of_ceiling_text(m, derived),
                         speedup(derived.step, true),
                         speedup(derived.cumulative, false),
                         digits_text(100 * (several ? uncertainty : row->spread()), {0, 2}) + " %"};
      cells.insert(cells.end(), more);
    }
    cells.resize(10);
    cells.push_back(checked(*row));
    lines.add(cells, style.colour && !row->good());
  }
  if (lines.says_only("% peak", "unknown")) lines.drop("% peak");  // the device's line says why
  const auto left_out = fit(lines, style.columns);
  lines.print(out);
  if (!left_out.empty())
    out << "(no room for: " << left_out << "; --wide has all, --records keeps all)\n";
}

void print_problem(std::ostream& out, const Results& results, const Rows& rows,
                   const Style& style) {
  const auto swept = swept_axes(rows);
  std::map<std::size_t, Rows> by_size;
  for (const auto* row : rows) by_size[row->measurement.n].push_back(row);
  if (swept.empty()) {
    for (const auto& [n, some] : by_size) print_full(out, results, some, "", style);
    return;
  }
  if (std::ranges::find(swept, nullptr) != swept.end()) {
    print_sweep(out, results, rows, swept, style.columns);
  } else {
    for (const auto& [n, some] : by_size) print_sweep(out, results, some, swept, style.columns);
  }
  const auto& largest = by_size.rbegin()->second;
  if (swept.front() == nullptr) {  // over sizes
    print_full(out, results, largest, "", style);
  } else {
    print_full(out, results, best_tunings(largest), ", the best tuning of each rung", style);
  }
}

/// What the column behind the speed-ups says, and of how many processes.
std::string processes_text(const Results& results) {
  const auto processes = results.rows.front().others.size() + 1;
  if (processes == 1) {
    return "spread: 5th to 95th percentile, as a part of the time. This is one process: how far "
           "the next would be\noff is not known; --processes=5 tells. ";
  }
  return concat("± 95 %: half the interval of the time, as a part of it, over ", processes,
                " processes (Student's t on\ntheir logarithms). ");
}

std::string_view words(Floor floor) {
  if (floor == Floor::call) return "an empty call";
  return floor == Floor::clock ? "two readings of the clock" : "an empty launch";
}

/// ", 2 of 8 processors": which part of the machine it is, where not all.
std::string part_text(const DeviceFacts& facts) {
  return facts.part.empty() ? "" : ", " + facts.part;
}

/// What a model's libraries are, where they say so: their threads are not ours to set.
void print_libraries(std::ostream& out, const Backend& backend) {
  for (const auto& fact : backend.facts()) {
    if (fact.name.starts_with("library "))
      out << backend.name() << ", " << fact.name << ": " << fact.value << "\n";
  }
}

void print_devices(std::ostream& out, const Results& results) {
  out << unoptimized_text();
  for (const auto& [device, backends, peak] : results.plan.devices) {
    out << device->name() << " (" << join(backends, ", ", &Backend::name)
        << "): " << device->facts().name << part_text(device->facts()) << ", theoretical peak "
        << (peak.gbs ? digits_text(*peak.gbs, {0, 4}) + " GB/s" : "unknown") << " (" << peak.source
        << ")";
    for (const auto& floor : results.floors) {
      if (floor.device != device || floor.statistics.count == 0) continue;
      out << ", " << words(floor.what) << " " << seconds_text(floor.statistics.median, {0, 2});
    }
    out << "\n";
    for (const auto* backend : backends) print_libraries(out, *backend);
  }
}

/// How many samples of this process something disturbed.
void print_disturbed(std::ostream& out, const Results& results) {
  std::size_t all = 0, retaken = 0, kept = 0;
  std::set<std::string> what;
  for (const auto& row : results.rows) {
    all += row.seconds.size();
    retaken += row.retaken;
    kept += row.disturbed;
    if (!row.disturbance.empty()) what.insert(row.disturbance);
  }
  if (what.empty()) return;
  out << "Disturbed (" << join(what) << "): " << retaken << " samples were taken again, and "
      << kept << " of the " << all << " that count were disturbed each time: see their spread\n";
}

}  // namespace

void print_not_run(std::ostream& out, const Plan& plan, const std::vector<Skipped>& more) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& item : plan.skipped) by_reason[item.reason].push_back(item.what);
  for (const auto& item : more) by_reason[item.reason].push_back(item.what);
  for (const auto& [reason, items] : by_reason) {
    out << "Skipped (" << reason
        << "): " << join(std::span(items).first(std::min<std::size_t>(items.size(), 8)));
    if (items.size() > 8) out << " and " << items.size() - 8 << " more";
    out << "\n";
  }
  for (const auto& note : plan.notes) out << "Not run: " << note << "\n";
  for (const auto& option : plan.ignored) out << "Ignored: " << option << "\n";
}

void print_results(std::ostream& out, const Results& results) {
  out << "\nResults:\n";
  for (const auto& row : results.rows)
    out << "  " << row.measurement.name() << ": " << results_text(row) << "\n";
}

void print_tables(std::ostream& out, const Results& results, bool profile, const Style& style) {
  print_devices(out, results);
  const auto tables = groups(results.rows, [](const Row& a, const Row& b) {
    const auto &x = a.measurement, &y = b.measurement;
    return x.type == y.type && x.operation == y.operation && x.data == y.data &&
           x.cache == y.cache && x.scope == y.scope;
  });
  if (profile) {
    for (const auto& row : results.rows)
      out << checked(row) << "  " << row.measurement.name() << "\n";
  } else {
    for (const auto& rows : tables) print_problem(out, results, rows, style);
    print_cases(out, results, tables, style.columns);
    out << "\ntuning: " << axes_text()
        << ". GB/s counts each element once (10^9 bytes).\n"
           "step: against the nearest measured rung of its base chain; total: against r02 or c00.\n"
        << processes_text(results) << "Nothing is subtracted from any time.\n";
  }
  print_disturbed(out, results);
  print_not_run(out, results.plan, results.skipped);
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

void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds) {
  out << plan.measurements.size()
      << (plan.measurements.size() == 1 ? " measurement" : " measurements");
  if (processes > 1) out << " in each of " << processes << " processes";
  out << ", about " << duration_text(processes * seconds) << "\n";
  for (const auto& [space, bytes] : resident_bytes(plan)) {
    out << size_text(bytes) << " of input in " << space << "\n";
  }
  for (const auto& m : plan.measurements) out << "  " << m.name() << "\n";
  print_not_run(out, plan, {});
}

}  // namespace ladder::bench
