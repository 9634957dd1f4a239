#pragma once

// Order statistics of the samples of one process, and what several processes say together.

#include <cmath>
#include <cstddef>
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
  /// The mean of the middle half, and so of what neither quarter at the ends has. Where samples
  /// have one mode it is as the median; where they have two of about the same weight, as cold times
  /// of several launches do, the median jumps from one to the other.
  double midmean = std::nan("");
  /// The standard error of `midmean`, as a part of it; infinite for a single sample.
  double uncertainty = std::nan("");

  explicit Statistics(std::vector<double> values = {});

  /// From the 5th to the 95th percentile, as a part of `midmean`.
  double spread() const { return (p95 - p5) / midmean; }
};

/// What one or several processes say of one quantity, which is above zero.
struct Estimate {
  double value = std::nan("");  ///< of a time the median over the processes, of a quotient the
                                ///< geometric mean
  double uncertainty = 0;       ///< half of the interval, as a part of the value; or of one process
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
