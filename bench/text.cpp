#include "bench/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace ladder::bench {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view given, const std::string& why) {
  throw UsageError(std::string(option) + "=" + std::string(given) + ": " + why);
}

/// All of `text` as a whole number; false for anything else, overflow included.
bool whole(std::string_view text, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

struct Unit {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array units{Unit{"KiB", 1u << 10}, Unit{"MiB", 1u << 20}, Unit{"GiB", 1u << 30},
                           Unit{"KB", 1000},      Unit{"MB", 1000000},   Unit{"GB", 1000000000},
                           Unit{"B", 1}};

/// `digits` is what there is to read of `text`; `help` says what would have been valid.
Size parse_size(std::string_view option, std::string_view text, std::string_view digits,
                const std::string& help) {
  Size size;
  std::size_t unit = 1;
  for (const auto& known : units) {
    if (!size.bytes && digits.ends_with(known.name)) {
      size.bytes = true;
      unit = known.bytes;
      digits.remove_suffix(known.name.size());
    }
  }
  if (const auto caret = digits.find('^'); caret != std::string_view::npos) {
    std::size_t base = 0, exponent = 0;
    if (!whole(digits.substr(0, caret), base) || !whole(digits.substr(caret + 1), exponent)) {
      refuse(option, text, help);
    }
    size.amount = 1;
    for (std::size_t i = 0; i < exponent; ++i) {
      if (__builtin_mul_overflow(size.amount, base, &size.amount))
        refuse(option, text, "too large a number");
    }
  } else if (!whole(digits, size.amount)) {
    refuse(option, text, help);
  }
  // So that no number of bytes of any type passes 2^64.
  constexpr std::size_t most = std::size_t{1} << 60;
  if (__builtin_mul_overflow(size.amount, unit, &size.amount) || size.amount > most) {
    refuse(option, text, "too large a number");
  }
  return size;
}

/// A whole number of at least one that an `unsigned` holds.
std::size_t parse_count(std::string_view option, std::string_view text, std::string_view digits,
                        const std::string& help) {
  const Size size = parse_size(option, text, digits, help);
  if (size.bytes || size.amount == 0) refuse(option, text, help);
  if (size.amount > std::numeric_limits<unsigned>::max())
    refuse(option, text, "too large a number");
  return size.amount;
}

/// The values of a list, each once: a, 2a, 4a … for "a..b" and a for "a". Both ends of a range are
/// of one kind, `kinds` says which there are.
template <class T, class Parse>
std::vector<T> ranges(std::string_view option, std::string_view list, std::string_view kinds,
                      Parse parse) {
  std::vector<T> values;
  const auto add = [&](const T& value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (const auto& part : split(option, list)) {
    const auto dots = part.find("..");
    if (dots == std::string::npos) {
      add(parse(std::string_view(part)));
      continue;
    }
    T value = parse(std::string_view(part).substr(0, dots));
    const T last = parse(std::string_view(part).substr(dots + 2));
    T alike = last;
    alike.amount = value.amount;
    if (alike != value) refuse(option, part, "both ends of a range " + std::string(kinds));
    if (value.amount == 0 || value.amount > last.amount) {
      refuse(option, part, "a range goes from a size above zero up to one that is not smaller");
    }
    for (; value.amount <= last.amount; value.amount *= 2) {
      add(value);
      if (value.amount > std::numeric_limits<std::size_t>::max() / 2) break;
    }
  }
  return values;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t best =
          std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = row[j + 1];
      row[j + 1] = best;
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> split(std::string_view option, std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const auto comma = std::min(list.find(',', from), list.size());
    parts.emplace_back(list.substr(from, comma - from));
    if (parts.back().empty()) refuse(option, list, "a list has an empty part");
    from = comma + 1;
  }
  return parts;
}

std::vector<Size> parse_sizes(std::string_view option, std::string_view list) {
  return ranges<Size>(option, list, "are elements, or both are bytes", [&](std::string_view text) {
    return parse_size(option, text, text,
                      "expected elements (1000003, 2^20) or bytes (256MiB, 1GB)");
  });
}

std::vector<unsigned> parse_counts(std::string_view option, std::string_view list, bool powers) {
  // Sizes without a unit, for the sake of the ranges.
  const auto sizes = ranges<Size>(option, list, "", [&](std::string_view text) {
    const Size size{parse_count(option, text, text, "expected a whole number of at least 1"),
                    false};
    if (powers && !std::has_single_bit(size.amount))
      refuse(option, text, "expected a power of two");
    return size;
  });
  std::vector<unsigned> counts;
  for (const auto& size : sizes) counts.push_back(static_cast<unsigned>(size.amount));
  return counts;
}

std::vector<GridSize> parse_grids(std::string_view option, std::string_view list) {
  return ranges<GridSize>(
      option, list, "have an x behind them, or neither has one", [&](std::string_view text) {
        const bool per_unit = text.ends_with("x");
        const auto digits = text.substr(0, text.size() - (per_unit ? 1 : 0));
        return GridSize{
            parse_count(option, text, digits,
                        "expected blocks (512) or blocks for each multiprocessor (4x), at least 1"),
            per_unit};
      });
}

std::string nearest(std::string_view given, std::span<const std::string> choices) {
  std::vector<std::string> sorted(choices.begin(), choices.end());
  const bool few = sorted.size() <= 8;
  if (!few) {
    std::ranges::stable_sort(sorted, {}, [&](const std::string& choice) {
      const auto whole_word = distance(given, choice);
      return choice.starts_with(given) ? std::min<std::size_t>(1, whole_word) : whole_word;
    });
    sorted.resize(3);
  }
  std::string text = few ? "choose from " : "did you mean ";
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == sorted.size() && !few ? " or " : ", ") + sorted[i];
  }
  return text + (few ? "" : "?");
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double step = std::pow(10.0, exponent - digits + 1);
  const double rounded = digits > exponent ? value : std::round(value / step) * step;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - exponent), rounded);
  return text;
}

std::string seconds_text(double seconds, int digits) {
  if (seconds >= 1) return number_text(seconds, digits) + " s";
  if (seconds >= 1e-3) return number_text(seconds * 1e3, digits) + " ms";
  if (seconds >= 1e-6) return number_text(seconds * 1e6, digits) + " µs";
  return number_text(seconds * 1e9, digits) + " ns";
}

std::string bytes_text(double bytes) {
  static constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < names.size()) {
    bytes /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || bytes == std::floor(bytes) ? "%.0f %s" : "%.1f %s",
                bytes, names[unit]);
  return text;
}

std::string elements_text(std::size_t n) {
  if (n >= 16 && std::has_single_bit(n)) return "2^" + std::to_string(std::countr_zero(n));
  return std::to_string(n);
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace ladder::bench
