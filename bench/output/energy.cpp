#include "bench/output/energy.hpp"

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>

#include "bench/output/columns.hpp"
#include "bench/output/row_text.hpp"
#include "bench/results/digits.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using Rounds = std::vector<const EnergyRound*>;

/// Of several rounds: the median, and what lies between the least and the most.
struct Over {
  double median = 0, range = 0;
  double spread() const { return median > 0 ? range / median : 0; }
};

Over over(const Rounds& rounds, const std::function<double(const EnergyRound&)>& value) {
  std::vector<double> values;
  for (const auto* one : rounds) values.push_back(value(*one));
  return {Statistics(values).median, std::ranges::max(values) - std::ranges::min(values)};
}

std::string text(const Over& value, double least_uncertainty) {
  return digits_text(value.median, {std::max(value.spread() / 2, least_uncertainty), 4});
}

/// A millionth is none.
std::string spread_text(double part) {
  return digits_text(part < 1e-6 ? 0 : 100 * part, {0, 2}) + " %";
}

void print_counters(std::ostream& out, const Plan& plan, const std::vector<EnergyRound>& rounds) {
  out << unoptimized_text();
  for (const auto& planned : plan.devices) {
    Rounds some;
    for (const auto& one : rounds)
      if (&one.row->measurement.device() == planned.device) some.push_back(&one);
    if (some.empty()) continue;
    const auto& first = *some.front();
    const auto idle = over(some, [](const EnergyRound& one) { return one.idle.watts(); });
    out << planned.device->name() << " (" << join(planned.backends, ", ", &Backend::name)
        << "): " << planned.device->facts().name << ", energy by " << first.source
        << ", which changes every " << seconds_text(first.step.seconds, {0, 2}) << " (idle by "
        << digits_text(first.step.joules, {0, 2}) << " J), idle "
        << text(idle, first.idle.uncertainty()) << " W\n";
  }
}

void print_problem(std::ostream& out, const std::vector<Rounds>& measured, const Style& style) {
  const auto& first = measured.front().front()->row->measurement;
  const std::string data = first.data == Data::exact ? "" : concat(", ", name(first.data), " data");
  out << "\n"
      << facts(first.type).words << " " << facts(first.operation).name << data << ", "
      << n_text(first) << ", back to back\n";
  Columns lines(
      {"backend", "rung", "tuning", "J/GB", "spread", "above idle", "W", "GB/s", "rounds right"},
      "llrrrrrrl");
  for (const auto& all : measured) {
    const auto& m = all.front()->row->measurement;
    std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung),
                                   tuning_text(m)};
    Rounds right;
    std::string error;
    for (const auto* one : all) {
      if (one->error.empty()) right.push_back(one);
      if (error.empty()) error = one->error;
    }
    if (!right.empty()) {
      const double least = right.front()->load.energy.uncertainty();
      const auto joules = over(right, &EnergyRound::joules_per_gb);
      const auto above = over(right, [](const EnergyRound& one) {
        return (one.load.energy.watts() - one.idle.watts()) / one.gbs();
      });
      const auto watts =
          over(right, [](const EnergyRound& one) { return one.load.energy.watts(); });
      const auto more = {text(joules, least), spread_text(joules.spread()), text(above, least),
                         text(watts, least), text(over(right, &EnergyRound::gbs), 0)};
      cells.insert(cells.end(), more);
    }
    cells.resize(8);
    cells.push_back(concat(right.size(), "/", all.size(), error.empty() ? "" : ": ", error));
    lines.add(cells, style.colour && !error.empty());
  }
  lines.print(out);
}

}  // namespace

void print_energy(std::ostream& out, const Plan& plan, const std::vector<Skipped>& skipped,
                  const std::vector<EnergyRound>& rounds, const Style& style) {
  print_counters(out, plan, rounds);
  std::vector<Rounds> measured =
      groups(rounds, [](const auto& a, const auto& b) { return a.row == b.row; });
  std::ranges::sort(measured, {}, [](const Rounds& some) { return some.front()->row; });
  std::vector<std::vector<Rounds>> problems;
  for (const auto& some : measured) {
    const auto same = [&](const std::vector<Rounds>& problem) {
      const auto &a = problem.front().front()->row->measurement,
                 &b = some.front()->row->measurement;
      return a.type == b.type && a.operation == b.operation && a.data == b.data && a.n == b.n;
    };
    const auto known = std::ranges::find_if(problems, same);
    if (known == problems.end()) {
      problems.push_back({some});
    } else {
      known->push_back(some);
    }
  }
  for (const auto& problem : problems) print_problem(out, problem, style);
  double step = 0;
  for (const auto& one : rounds)
    if (one.error.empty()) step = std::max(step, one.load.energy.uncertainty());
  out << "\nJ/GB: joules for 10^9 bytes of input, the median of " << energy_rounds
      << " rounds; above idle: without what the idle device takes.\nspread: from the least to the "
         "most of the rounds, as a part. The counter's steps leave at most "
      << digits_text(100 * step, {0, 2}) << " % open.\n";
  print_not_run(out, plan, skipped);
}

}  // namespace ladder::bench
