#include <algorithm>
#include <ostream>
#include <set>

#include "bench/output/columns.hpp"
#include "bench/output/tables.hpp"
#include "bench/results/statistics.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

void print_energy(std::ostream& out, const Results& results, const Style& style) {
  out << unoptimized_text();
  Columns lines({"problem", "backend", "rung", "tuning", "J/GB", "spread", "above idle", "W",
                 "GB/s", "rounds right"},
                "llllrrrrrl");
  std::set<const Device*> told;
  for (const auto& row : results.rows) {
    const auto& m = row.measurement;
    std::vector<double> per_gb, above_idle, watts, gbs;
    std::string error;
    double least = 0;  // relative uncertainty
    for (const auto& one : row.energy) {
      if (const auto* device = &m.device(); told.insert(device).second) {
        out << device->name() << ": " << device->facts().name << ", energy by " << one.source
            << ", which changes every " << seconds_text(one.step.seconds, {0, 2}) << ", idle "
            << digits_text(one.idle.watts(), {0, 3}) << " W\n";
      }
      if (!one.error.empty()) {
        error = ": " + one.error;
        continue;
      }
      least = one.load.slack / one.load.seconds;
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
      cells.insert(cells.end(), {text(per_gb), digits_text(100 * range(per_gb), {0, 2}) + " %",
                                 text(above_idle), text(watts), text(gbs)});
    cells.resize(9);
    cells.push_back(concat(gbs.size(), "/", row.energy.size(), error));
    lines.add(cells, style.colour && !error.empty());
  }
  out << "\n";
  lines.print(out);
  out << "\nJ/GB: joules per 10^9 bytes of input, median of " << energy_rounds
      << " rounds; spread: their range relative to it; above idle: without the idle device's\n"
         "watts.\n";
  print_left_out(out, results.plan, results.left_out);
}

}  // namespace ladder::bench
