#include "bench/output/tables.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <span>

#include "bench/results/results.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

using Rows = std::vector<const Row*>;

/// Formats with the digits that the relative uncertainty warrants, at most three.
std::string ratio(double value, double uncertainty) { return digits_text(value, {uncertainty, 3}); }

std::string percent(const std::optional<double>& part, double uncertainty) {
  return part ? ratio(100 * *part, uncertainty) : "unknown";
}

std::string speedup(const std::optional<Speedup>& value, bool named) {
  if (!value) return "";
  return ratio(value->factor, value->uncertainty) + "x" + (named ? " " + value->versus : "");
}

/// Fractions above 100 % are not reported: the data came from a cache, or the sweep behind the
/// ceiling was slower than the rung.
std::string of_peak_text(const Derived& derived) {
  if (derived.of_peak.value_or(0) > 1) return "in cache";
  return percent(derived.of_peak, derived.time.uncertainty);
}
std::string of_ceiling_text(const Derived& derived) {
  if (derived.of_ceiling.value_or(0) > 1.01) return "sweep too weak";
  return percent(derived.of_ceiling, derived.ceiling_uncertainty);
}

/// Ceiling of each device of the rows, with its configuration, at their largest n.
std::string ceiling_text(const Results& results, const Rows& rows, bool swept) {
  const auto n_of = [](const Row* row) { return row->measurement.n; };
  const auto largest = std::ranges::max(rows, {}, n_of)->measurement.n;
  std::string text;
  for (const auto& ceiling : results.ceilings) {
    const bool of_these = std::ranges::any_of(rows, [&](const Row* row) {
      return n_of(row) == largest && results.ceiling_of(row->measurement) == &ceiling;
    });
    if (!of_these) continue;
    const auto gbs = ceiling.gbs();
    text += concat("\n  ceiling ", digits_text(gbs.median, Precision(gbs.uncertainty)), " GB/s (",
                   swept ? concat("n = ", elements_text(largest), ", ") : "",
                   ceiling.device->name(), ": ", ceiling.configuration(), ")");
  }
  return text;
}

/// "5/5" right samples, plus cases the check cannot decide; or how the row is wrong or failed.
std::string checked(const Row& row) {
  const auto all = row.right() + row.wrong;
  if (row.wrong > 0) return concat("WRONG ", row.wrong, "/", all);
  if (row.failed > 0 || row.seconds.empty()) return "FAILED";
  return concat(all, "/", all, row.vacuous ? " (bound vacuous)" : "",
                row.left_open ? " (NaN left open)" : "");
}

/// The shape, or n.
std::string size_cell(const Row& row) {
  const auto& m = row.measurement;
  const auto& shape = m.shape.text;
  if (shape.empty()) return elements_text(m.n);
  return m.shape.has_size() ? shape : concat(shape, " of ", elements_text(m.n));
}

/// Cells of a row, including its size.
std::vector<std::string> cells_of(const Results& results, const Row& row) {
  const auto& m = row.measurement;
  std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung),
                                 size_cell(row), m.tuning_text()};
  if (row.good()) {
    const auto derived = derive(results, row);
    const Precision precision(derived.time.uncertainty);
    const auto more = {seconds_text(derived.time.median, precision),
                       digits_text(derived.gbs, precision),
                       of_peak_text(derived),
                       of_ceiling_text(derived),
                       speedup(derived.step, true),
                       speedup(derived.cumulative, false),
                       digits_text(100 * derived.time.uncertainty, {0, 2}) + " %"};
    cells.insert(cells.end(), more);
  }
  cells.resize(11);
  cells.push_back(checked(row));
  return cells;
}

void print_problem(std::ostream& out, const Results& results, const Rows& rows) {
  const auto& first = rows.front()->measurement;
  const bool shaped = first.groups.by != Grouping::whole;
  const bool swept = std::ranges::any_of(
      rows, [&](const Row* row) { return size_cell(*row) != size_cell(*rows.front()); });
  out << "\n"
      << facts(first.type).words << " " << facts(first.operation).name << ", " << name(first.data)
      << " data, " << name(first.cache) << ", " << name(first.scope) << " scope"
      << (swept ? "" : ", " + first.size_text()) << ceiling_text(results, rows, swept) << "\n";
  const auto* const head_of_size = shaped ? "shape" : "n";
  Columns lines({"backend", "rung", head_of_size, "tuning", "time", "GB/s", "% peak", "% ceiling",
                 "step", "total", "± 95 %", "checked"},
                "llrlrrrrlrrl");
  for (const auto* row : rows) lines.add(cells_of(results, *row));
  if (!swept) lines.drop(head_of_size);
  for (const auto* head : {"tuning", "step", "total"}) lines.drop_if_only(head, "");
  lines.drop_if_only("% peak", "unknown");  // the device's line has the reason
  if (rows.front()->others.empty()) lines.drop("± 95 %");
  lines.print(out);
}

/// Legend of the interval, or why it is missing.
std::string processes_text(const Results& results) {
  const auto processes = results.rows.front().others.size() + 1;
  if (processes == 1) {
    return "This is one process: how far the next would be off is not known; --processes=5 "
           "tells.\n";
  }
  return concat("± 95 %: half the interval of the time, as a part of it, over ", processes,
                " processes (Student's t on\ntheir logarithms). ");
}

std::string_view words(Floor floor) {
  if (floor == Floor::call) return "an empty call";
  return floor == Floor::clock ? "two readings of the clock" : "an empty launch";
}

/// Prints the facts about libraries that a model reports: their threads are not configured by us.
void print_libraries(std::ostream& out, const Backend& backend) {
  for (const auto& fact : backend.facts()) {
    if (fact.name.starts_with("library "))
      out << backend.name() << ", " << fact.name << ": " << fact.value << "\n";
  }
}

void print_devices(std::ostream& out, const Results& results) {
  out << unoptimized_text();
  for (const auto& [device, backends, peak] : results.plan.devices) {
    const auto& facts = device->facts();
    out << device->name() << " (" << join(backends, ", ", &Backend::name) << "): " << facts.name
        << (facts.part.empty() ? "" : ", " + facts.part) << ", theoretical peak "
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

/// Prints the number of disturbed samples of this process.
void print_disturbed(std::ostream& out, const Results& results) {
  std::size_t all = 0, retaken = 0, kept = 0;
  std::set<std::string> what;
  for (const auto& row : results.rows) {
    all += row.seconds.size();
    retaken += row.retaken;
    kept += row.disturbed;
    what.insert(row.disturbances.begin(), row.disturbances.end());
  }
  if (what.empty()) return;
  out << "Disturbed (" << join(what) << "): " << retaken << " samples were taken again, and "
      << kept << " of the " << all << " that count were disturbed each time\n";
}

}  // namespace

std::string unoptimized_text(std::span<const BuildFact> facts) {
  std::string text;
  for (const auto& fact : facts) {
    if (fact.name != "optimized" || fact.value != "no") continue;
    const auto flags = std::ranges::find_if(facts, [&](const BuildFact& other) {
      return other.group == fact.group && other.name == "flags";
    });
    text += concat("Not optimized: what was compiled as ", fact.group, " (",
                   flags == facts.end() ? "" : flags->value,
                   "). Its times say nothing of the rungs.\n");
  }
  return text;
}

void print_left_out(std::ostream& out, const Plan& plan, const LeftOut& left_out) {
  for (const auto& [reason, rungs] : left_out)
    out << "Left out (" << reason << "): " << join(rungs) << "\n";
  for (const auto& note : plan.notes) out << "Not run: " << note << "\n";
}

void print_tables(std::ostream& out, const Results& results, bool profile) {
  print_devices(out, results);
  const auto tables = groups(results.rows, [](const Row& a, const Row& b) {
    const auto &x = a.measurement, &y = b.measurement;
    return x.type == y.type && x.operation == y.operation && x.data == y.data &&
           x.cache == y.cache && x.scope == y.scope && x.shape.by == y.shape.by;
  });
  if (profile) {
    for (const auto& row : results.rows)
      out << checked(row) << "  " << row.measurement.name() << "\n";
  } else {
    for (const auto& rows : tables) print_problem(out, results, rows);
    const auto axis = [](const Axis& one) { return concat(one.name.front(), " ", one.name); };
    out << "\ntuning: " << join(tuning_axes, ", ", axis)
        << ". GB/s counts each element once (10^9 bytes).\n"
           "step: against the nearest measured rung of its base chain; total: against r02 or c00.\n"
        << processes_text(results) << "Nothing is subtracted from any time.\n";
  }
  print_disturbed(out, results);
  print_left_out(out, results.plan, results.left_out);
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

void print_energy(std::ostream& out, const Results& results) {
  out << unoptimized_text();
  Columns lines(
      {"problem", "backend", "rung", "tuning", "J/GB", "above idle", "W", "GB/s", "rounds right"},
      "llllrrrrl");
  std::set<const Device*> told;
  for (const auto& row : results.rows) {
    const auto& m = row.measurement;
    if (told.insert(&m.device()).second) {
      const auto& first = row.energy.front();
      out << m.device().name() << ": " << m.device().facts().name << ", energy by " << first.source
          << ", which changes every " << seconds_text(first.step.seconds, {0, 2}) << ", idle "
          << digits_text(first.idle.watts(), {0, 3}) << " W\n";
    }
    std::vector<double> per_gb, above_idle, watts, gbs;
    double least = 0;  // relative uncertainty
    for (const auto& one : row.energy) {
      if (!one.error.empty()) continue;
      least = one.load.uncertainty();
      watts.push_back(one.load.watts());
      gbs.push_back(one.gbs(m));
      per_gb.push_back(watts.back() / gbs.back());
      above_idle.push_back((watts.back() - one.idle.watts()) / gbs.back());
    }
    const auto range = [](const std::vector<double>& values) {  // relative
      return (std::ranges::max(values) - std::ranges::min(values)) / Statistics(values).median;
    };
    const auto text = [&](const std::vector<double>& values) {
      return digits_text(Statistics(values).median, {std::max(range(values) / 2, least), 4});
    };
    const auto data = m.data == Data::exact ? "" : concat(", ", name(m.data), " data");
    std::vector<std::string> cells{
        concat(facts(m.type).words, " ", facts(m.operation).name, data, ", ", m.size_text()),
        std::string(m.backend->name()), full_name(m.info().rung), m.tuning_text()};
    if (!gbs.empty())
      cells.insert(cells.end(), {text(per_gb), text(above_idle), text(watts), text(gbs)});
    cells.resize(8);
    cells.push_back(
        concat(gbs.size(), "/", row.energy.size(), row.error.empty() ? "" : ": ", row.error));
    lines.add(cells);
  }
  out << "\n";
  lines.print(out);
  out << "\nJ/GB: joules per 10^9 bytes of input, median of " << energy_rounds
      << " rounds; above idle: without the idle device's watts.\n";
  print_left_out(out, results.plan, results.left_out);
}

void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds) {
  out << plan.measurements.size()
      << (plan.measurements.size() == 1 ? " measurement" : " measurements");
  if (processes > 1) out << " in each of " << processes << " processes";
  if (seconds > 0) out << ", about " << duration_text(processes * seconds);
  out << "\n";
  for (const auto& [space, bytes] : resident_bytes(plan)) {
    out << size_text(bytes) << " of input in " << space << "\n";
  }
  for (const auto& m : plan.measurements) out << "  " << m.name() << "\n";
  print_left_out(out, plan, plan.left_out);
}

}  // namespace ladder::bench
