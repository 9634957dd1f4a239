#pragma once

// Order statistics of the samples of one process, and what several processes say together.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace ladder::bench {

/// The quantile q of sorted values, linear between neighbours (Hyndman and Fan, type 7).
inline double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::nan("");
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

struct Statistics {
  std::size_t count = 0;
  double median = std::nan(""), p5 = std::nan(""), p95 = std::nan("");

  explicit Statistics(std::vector<double> values = {}) : count(values.size()) {
    std::ranges::sort(values);
    if (values.empty()) return;
    median = quantile(values, 0.5);
    p5 = quantile(values, 0.05);
    p95 = quantile(values, 0.95);
  }

  /// From the 5th to the 95th percentile, as a part of the median.
  double spread() const { return (p95 - p5) / median; }

  /// How far the median itself may be off, as a part of it: the spread is about 3.3 standard
  /// deviations of a normal sample, and the median's standard error 1.25 of those by the root of
  /// the count.
  /// Infinite for a single sample.
  double uncertainty() const {
    if (count == 1) return std::numeric_limits<double>::infinity();
    return spread() / 3.29 * 1.253 / std::sqrt(static_cast<double>(count));
  }
};

/// What one or several processes say of one quantity, which is above zero.
struct Estimate {
  double value = std::nan("");  ///< the median over the processes
  double uncertainty = 0;       ///< half of `interval`, as a part of the value; or of one median
  std::size_t processes = 0;
  double low = std::nan(""), high = std::nan("");  ///< the 95 % interval; NaN from one process
};

/// The 97.5 % quantile of Student's t distribution.
double student(std::size_t degrees_of_freedom);

/// Of the quantity's value in each process, NaN where a process has none. From two on the interval
/// is Student's t on the logarithms: processes differ by factors, and by more than the samples of
/// one show. From one alone nothing is known of the next; `within` is then the uncertainty.
Estimate estimate(std::span<const double> of_processes, double within);

/// The same of the quotient of two, formed in each process.
Estimate quotient(std::span<const double> above, std::span<const double> below, double within);

}  // namespace ladder::bench
