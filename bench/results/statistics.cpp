#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "bench/results/results.hpp"

namespace ladder::bench {
namespace {

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::nan("");
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Decimal exponent of the first digit: 2 for 345.6, -1 for 0.34.
int place(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string rounded(double value, int last) {
  const double step = std::pow(10.0, last);
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", std::max(0, -last),
                last > 0 ? std::round(value / step) * step : value);
  return text;
}

}  // namespace

Statistics::Statistics(std::vector<double> values) : count(values.size()) {
  if (values.empty()) return;
  std::ranges::sort(values);
  median = quantile(values, 0.5);
  p5 = quantile(values, 0.05);
  p95 = quantile(values, 0.95);
  const std::size_t cut = (count + 1) / 4, kept = count - 2 * cut;
  midmean = 0;
  for (std::size_t i = cut; i < count - cut; ++i) midmean += values[i] / static_cast<double>(kept);
  // Standard error of a trimmed mean (Tukey and McLaughlin, 1963), from the winsorized standard
  // deviation: values cut off count as the outermost ones kept. Of three samples all count: a
  // single one kept has no deviation.
  const std::size_t tail = kept == 1 ? 0 : cut;
  const auto all = static_cast<double>(count), counted = static_cast<double>(count - 2 * tail);
  double mean = 0, squares = 0;
  const auto kept_value = [&](std::size_t i) {
    return values[std::clamp(i, tail, count - tail - 1)];
  };
  for (std::size_t i = 0; i < count; ++i) mean += kept_value(i) / all;
  for (std::size_t i = 0; i < count; ++i) squares += std::pow(kept_value(i) - mean, 2);
  uncertainty = count == 1
                    ? std::numeric_limits<double>::infinity()
                    : std::sqrt(squares / (all - 1)) * all / counted / std::sqrt(all) / midmean;
}

double student(std::size_t degrees_of_freedom) {
  static constexpr std::array table{12.7062047364, 4.30265272991, 3.18244630528, 2.7764451052,
                                    2.57058183661, 2.44691184879, 2.36462425101, 2.30600413503,
                                    2.26215716274, 2.22813885196};
  if (degrees_of_freedom == 0) return std::nan("");
  if (degrees_of_freedom <= table.size()) return table[degrees_of_freedom - 1];
  // Expansion around the normal quantile (Abramowitz and Stegun, 26.7.5): accurate to four digits
  // for these degrees of freedom.
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
  const double median = quantile(known, 0.5);
  if (known.size() < 2) return {median, median, within};
  const auto count = static_cast<double>(known.size());
  double mean = 0, squares = 0;
  for (const double value : known) mean += std::log(value) / count;
  for (const double value : known) squares += std::pow(std::log(value) - mean, 2);
  const double half = student(known.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return {median, std::exp(mean), std::sinh(half)};
}

Estimate quotient(std::span<const double> above, std::span<const double> below, double within) {
  std::vector<double> quotients;
  for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i)
    quotients.push_back(above[i] / below[i]);
  return estimate(quotients, within);
}

std::string digits_text(double value, Precision precision) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int first = place(value);
  int last = first - precision.most + 1;
  if (precision.relative > 0) last = std::clamp(place(precision.relative * value), last, first);
  const std::string text = rounded(value, last);
  // Rounding up to the next decade must not add a digit.
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

}  // namespace ladder::bench
