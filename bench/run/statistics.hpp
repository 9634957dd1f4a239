#pragma once

// Order statistics of samples. Never a mean alone.

#include <algorithm>
#include <cmath>
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
  double uncertainty() const {
    return spread() / 3.29 * 1.253 / std::sqrt(static_cast<double>(count));
  }
};

}  // namespace ladder::bench
