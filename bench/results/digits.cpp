#include "bench/results/digits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ladder::bench {
namespace {

/// The place of the first digit: 2 for 345.6, -1 for 0.34.
int place(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string rounded(double value, int last) {
  const double step = std::pow(10.0, last);
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", std::max(0, -last),
                last > 0 ? std::round(value / step) * step : value);
  return text;
}

}  // namespace

std::string digits_text(double value, Precision precision) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int first = place(value);
  int last = first - precision.most + 1;
  if (precision.relative > 0) last = std::clamp(place(precision.relative * value), last, first);
  const std::string text = rounded(value, last);
  // What is rounded up over a decade has no digit more than allowed.
  const bool longer = place(std::strtod(text.c_str(), nullptr)) > first;
  return longer ? rounded(value, std::max(last, first - precision.most + 2)) : text;
}

std::string seconds_text(double seconds, Precision precision) {
  if (seconds >= 1) return digits_text(seconds, precision) + " s";
  if (seconds >= 1e-3) return digits_text(seconds * 1e3, precision) + " ms";
  if (seconds >= 1e-6) return digits_text(seconds * 1e6, precision) + " µs";
  return digits_text(seconds * 1e9, precision) + " ns";
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<unsigned long long>(std::max(1.0, std::round(seconds)));
  const auto two = [](unsigned long long much, const char* unit, unsigned long long rest,
                      const char* smaller) {
    const std::string text = std::to_string(much) + unit;
    return rest == 0 ? text : text + " " + std::to_string(rest) + smaller;
  };
  if (whole < 100) return two(whole, " s", 0, "");
  if (whole < 6000) return two(whole / 60, " min", whole % 60, " s");
  return two(whole / 3600, " h", whole % 3600 / 60, " min");
}

std::string elements_text(std::size_t n) {
  if (n >= 16 && std::has_single_bit(n)) return "2^" + std::to_string(std::countr_zero(n));
  return std::to_string(n);
}

}  // namespace ladder::bench
