#pragma once

// Order statistics of the samples of one process, estimates over several processes, and figures as
// people read them. How many digits a figure has is one rule, which tests/digits.csv holds for
// every program that prints figures.

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ladder::bench {

/// Quantiles are linear between neighbours (Hyndman and Fan, type 7).
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
};

/// A quantity above zero, over the processes of a study.
struct Estimate {
  double median = std::nan("");  ///< reported for times and bandwidths
  double mean = std::nan("");    ///< geometric; reported for ratios
  double uncertainty = 0;        ///< half of the 95 % interval, as a part of the mean
};

/// The 97.5 % quantile of Student's t distribution.
double student(std::size_t degrees_of_freedom);

/// Estimates a quantity from its value in each process, NaN where a process has none. From two on
/// the interval is Student's t on the logarithms: processes differ by factors, and by more than the
/// samples of one show. One alone says nothing of the next; `within` is then the uncertainty.
Estimate estimate(std::span<const double> of_processes, double within);

/// Estimates the quotient of two quantities, formed in each process.
Estimate quotient(std::span<const double> above, std::span<const double> below, double within);

/// How well a value is known.
struct Precision {
  double relative = 0;  ///< the value's uncertainty, as a part of it; 0 where none is known
  int most = 4;         ///< the largest number of digits

  Precision(double uncertainty, int digits) : relative(uncertainty), most(digits) {}
  /// Of a time and what is proportional to it; a single sample warrants two digits.
  explicit Precision(double uncertainty)
      : relative(std::isfinite(uncertainty) ? uncertainty : 0),
        most(std::isfinite(uncertainty) ? 4 : 2) {}
};

/// Never in exponent form. The last digit is the first uncertain one, or the last of the most;
/// digits left of the point are kept, as zeros where they mean nothing.
std::string digits_text(double value, Precision precision);
/// 1.5e-6 as "1.50 µs".
std::string seconds_text(double seconds, Precision precision);
/// How long something takes, in whole seconds, at least one: "41 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace ladder::bench
