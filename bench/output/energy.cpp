#include <algorithm>
#include <functional>
#include <ostream>

#include "bench/output/columns.hpp"
#include "bench/output/row_text.hpp"
#include "bench/output/tables.hpp"
#include "bench/results/digits.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// Several rounds of a quantity: their median, and their range relative to it.
struct Over {
  double median, range;

  Over(const std::vector<const EnergyRound*>& rounds,
       const std::function<double(const EnergyRound&)>& value) {
    std::vector<double> values;
    for (const auto* one : rounds) values.push_back(value(*one));
    median = Statistics(values).median;
    range = (std::ranges::max(values) - std::ranges::min(values)) / median;
  }
  std::string text(double least_uncertainty) const {
    return digits_text(median, {std::max(range / 2, least_uncertainty), 4});
  }
};

std::string problem_text_of(const Measurement& m) {
  const auto data = m.data == Data::exact ? "" : concat(", ", name(m.data), " data");
  return concat(facts(m.type).words, " ", facts(m.operation).name, data, ", ", n_text(m));
}

}  // namespace

void print_energy(std::ostream& out, const Plan& plan, const std::vector<Skipped>& skipped,
                  const std::vector<EnergyRound>& rounds, const Style& style) {
  out << unoptimized_text();
  for (const auto& planned : plan.devices) {
    const auto one = std::ranges::find(rounds, planned.device, [](const EnergyRound& round) {
      return &round.row->measurement.device();
    });
    if (one == rounds.end()) continue;
    out << planned.device->name() << ": " << planned.device->facts().name << ", energy by "
        << one->source << ", which changes every " << seconds_text(one->step.seconds, {0, 2})
        << ", idle " << digits_text(one->idle.watts(), {0, 3}) << " W\n";
  }
  Columns lines({"problem", "backend", "rung", "tuning", "J/GB", "spread", "above idle", "W",
                 "GB/s", "rounds right"},
                "llllrrrrrl");
  auto measured = groups(rounds, [](const auto& a, const auto& b) { return a.row == b.row; });
  std::ranges::sort(measured, {}, [](const auto& some) {
    return std::pair(problem_text_of(some.front()->row->measurement), some.front()->row);
  });
  for (auto& some : measured) {
    const auto& m = some.front()->row->measurement;
    std::vector<std::string> cells{problem_text_of(m), std::string(m.backend->name()),
                                   full_name(m.info().rung), tuning_text(m)};
    const auto all = some.size();
    const auto bad = std::ranges::find_if(some, [](auto* one) { return !one->error.empty(); });
    const std::string error = bad == some.end() ? "" : ": " + (*bad)->error;
    std::erase_if(some, [](const auto* one) { return !one->error.empty(); });
    if (!some.empty()) {
      const double open = some.front()->load.uncertainty();
      const Over joules(some, &EnergyRound::joules_per_gb);
      const Over above(some, &EnergyRound::joules_per_gb_above_idle);
      const Over watts(some, [](const EnergyRound& one) { return one.load.watts(); });
      cells.insert(cells.end(),
                   {joules.text(open), digits_text(100 * joules.range, {0, 2}) + " %",
                    above.text(open), watts.text(open), Over(some, &EnergyRound::gbs).text(0)});
    }
    cells.resize(9);
    cells.push_back(concat(some.size(), "/", all, error));
    lines.add(cells, style.colour && !error.empty());
  }
  out << "\n";
  lines.print(out);
  out << "\nJ/GB: joules per 10^9 bytes of input, median of " << energy_rounds
      << " rounds; spread: their range relative to it; above idle: without the idle device's\n"
         "watts.\n";
  print_not_run(out, plan, skipped);
}

}  // namespace ladder::bench
