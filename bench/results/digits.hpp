#pragma once

// Numbers as people read them. How many digits a figure has is one rule, which tests/digits.csv
// holds for every program that prints figures.

#include <cstddef>
#include <string>

#include "bench/results/statistics.hpp"

namespace ladder::bench {

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
/// Elements as "2^28" where it is a power of two, else as they are.
std::string elements_text(std::size_t n);

}  // namespace ladder::bench
