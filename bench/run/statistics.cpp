#include "bench/run/statistics.hpp"

#include <algorithm>
#include <array>

namespace ladder::bench {

double student(std::size_t degrees_of_freedom) {
  static constexpr std::array table{12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                    2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
  if (degrees_of_freedom == 0) return std::nan("");
  if (degrees_of_freedom <= table.size()) return table[degrees_of_freedom - 1];
  // Expanded around the normal distribution's (Abramowitz and Stegun, 26.7.5): four digits from
  // here.
  constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const auto n = static_cast<double>(degrees_of_freedom);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

Estimate estimate(std::span<const double> of_processes, double within) {
  std::vector<double> known;
  std::ranges::copy_if(of_processes, std::back_inserter(known),
                       [](double value) { return std::isfinite(value) && value > 0; });
  std::ranges::sort(known);
  Estimate found{quantile(known, 0.5), within, known.size()};
  if (known.size() < 2) return found;
  const auto count = static_cast<double>(known.size());
  double mean = 0, squares = 0;
  for (const double value : known) mean += std::log(value) / count;
  for (const double value : known) squares += std::pow(std::log(value) - mean, 2);
  const double half = student(known.size() - 1) * std::sqrt(squares / (count - 1) / count);
  found.low = std::exp(mean - half);
  found.high = std::exp(mean + half);
  found.uncertainty = (found.high - found.low) / 2 / found.value;
  return found;
}

Estimate quotient(std::span<const double> above, std::span<const double> below, double within) {
  std::vector<double> quotients;
  for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i)
    quotients.push_back(above[i] / below[i]);
  return estimate(quotients, within);
}

}  // namespace ladder::bench
