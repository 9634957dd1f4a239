#include "bench/selection/parse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <numeric>

#include "bench/text.hpp"

namespace ladder::bench {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view given, const std::string& why) {
  throw UsageError(concat(option, "=", given, ": ", why));
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
unsigned parse_count(std::string_view option, std::string_view text, std::string_view digits,
                     const std::string& help) {
  const Size size = parse_size(option, text, digits, help);
  if (size.bytes || size.amount == 0) refuse(option, text, help);
  if (size.amount > std::numeric_limits<unsigned>::max())
    refuse(option, text, "too large a number");
  return static_cast<unsigned>(size.amount);
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
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t best =
          std::min({row[j] + 1, row[j + 1] + 1, diagonal + (letter == b[j] ? 0 : 1)});
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

std::vector<AxisValue> parse_axis(const Axis& axis, std::string_view list) {
  const std::string option = "--" + std::string(axis.name);
  const std::string expected =
      axis.power_of_two ? concat("expected a power of two from ", axis.least, " to ", axis.most)
      : axis.per_unit   ? "expected a number (512) or a number per SM (4x), at least 1"
                        : "expected a whole number of at least 1";
  const auto parse = [&](std::string_view text) {
    const bool per_unit = axis.per_unit && text.ends_with("x");
    const auto digits = text.substr(0, text.size() - (per_unit ? 1 : 0));
    const AxisValue value{parse_count(option, text, digits, expected), per_unit};
    if (value.amount < axis.least || value.amount > axis.most ||
        (axis.power_of_two && !std::has_single_bit(value.amount)))
      refuse(option, text, expected);
    return value;
  };
  return ranges<AxisValue>(option, list, "have an x behind them, or neither has one", parse);
}

unsigned parse_count(std::string_view option, std::string_view text) {
  return parse_count(option, text, text, "expected a whole number of at least 1");
}

std::string nearest(std::string_view given, std::span<const std::string> choices) {
  std::vector<std::string> sorted(choices.begin(), choices.end());
  if (sorted.size() <= 8) return "choose from " + join(sorted);
  std::ranges::stable_sort(sorted, {}, [&](const std::string& choice) {
    const auto whole_word = distance(given, choice);
    return choice.starts_with(given) ? std::min<std::size_t>(1, whole_word) : whole_word;
  });
  return concat("did you mean ", sorted[0], ", ", sorted[1], " or ", sorted[2], "?");
}

}  // namespace ladder::bench
