#include "bench/cli/parse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "bench/text.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {
namespace {

/// Why a part of a list cannot be; who has the option and the list says so to the user.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `list` as it was typed, and which part of it is meant where there are several.
[[noreturn]] void refuse(std::string_view option, std::string_view list, std::string_view part,
                         std::string_view why) {
  const std::string which = part == list ? "" : concat("'", part, "': ");
  throw UsageError(concat(option, "=", list, ": ", which, why));
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

/// `help` says what would have been valid. Throws `Invalid`.
Size parse_size(std::string_view digits, const std::string& help) {
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
    if (!whole(digits.substr(0, caret), base) || !whole(digits.substr(caret + 1), exponent))
      throw Invalid(help);
    size.amount = 1;
    // 0 and 1 never grow too large, however often they are multiplied.
    if (base < 2) exponent = std::min<std::size_t>(exponent, 1);
    for (std::size_t i = 0; i < exponent; ++i) {
      if (__builtin_mul_overflow(size.amount, base, &size.amount))
        throw Invalid("too large a number");
    }
  } else if (!whole(digits, size.amount)) {
    throw Invalid(help);
  }
  // So that no number of bytes of any type passes 2^64.
  constexpr std::size_t most = std::size_t{1} << 60;
  if (__builtin_mul_overflow(size.amount, unit, &size.amount) || size.amount > most)
    throw Invalid("too large a number");
  return size;
}

/// A whole number of at least one that an `unsigned` holds. Throws `Invalid`.
unsigned count_of(std::string_view digits, const std::string& help) {
  const Size size = parse_size(digits, help);
  if (size.bytes || size.amount == 0) throw Invalid(help);
  if (size.amount > std::numeric_limits<unsigned>::max()) throw Invalid("too large a number");
  return static_cast<unsigned>(size.amount);
}

/// "a" as a, "a..b" as a, 2a, 4a … Both ends of a range are of one kind, `kinds` says which there
/// are. Throws `Invalid`.
template <class T, class Parse>
std::vector<T> range(std::string_view part, std::string_view kinds, Parse parse) {
  const auto dots = part.find("..");
  if (dots == std::string_view::npos) return {parse(part)};
  T value = parse(part.substr(0, dots));
  const T last = parse(part.substr(dots + 2));
  T alike = last;
  alike.amount = value.amount;
  if (alike != value) throw Invalid(concat("both ends of a range ", kinds));
  if (value.amount == 0 || value.amount > last.amount)
    throw Invalid("a range goes from a size above zero up to one that is not smaller");
  std::vector<T> values;
  for (;; value.amount *= 2) {
    values.push_back(value);
    if (value.amount > last.amount / 2) return values;
  }
}

/// The values of all parts of a list, each once.
template <class T, class Parse>
std::vector<T> ranges(std::string_view option, std::string_view list, std::string_view kinds,
                      Parse parse) {
  std::vector<T> values;
  for (const auto& part : split(option, list)) {
    try {
      for (const T& value : range<T>(part, kinds, parse)) {
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
      }
    } catch (const Invalid& reason) {
      refuse(option, list, part, reason.what());
    }
  }
  return values;
}

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// Letters to change, add or drop; their case does not count.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t best =
          std::min({row[j] + 1, row[j + 1] + 1, diagonal + (lower(letter) == lower(b[j]) ? 0 : 1)});
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
    if (parts.back().empty()) refuse(option, list, list, "a list has an empty part");
    from = comma + 1;
  }
  return parts;
}

std::vector<Size> parse_sizes(std::string_view option, std::string_view list) {
  return ranges<Size>(option, list, "are elements, or both are bytes", [&](std::string_view text) {
    return parse_size(text, "expected elements (1000003, 2^20) or bytes (256MiB, 1GB)");
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
    const AxisValue value{count_of(digits, expected), per_unit};
    if (value.amount < axis.least || value.amount > axis.most ||
        (axis.power_of_two && !std::has_single_bit(value.amount)))
      throw Invalid(expected);
    return value;
  };
  return ranges<AxisValue>(option, list, "have an x behind them, or neither has one", parse);
}

std::vector<int> parse_devices(std::string_view option, std::string_view list) {
  constexpr std::string_view expected = "expected numbers of devices, as in 0,1 or 0..7, or all";
  if (list == "all") return {every_device};
  constexpr std::size_t most = 1023;
  const auto number = [&](std::string_view text) {
    std::size_t value = 0;
    if (!whole(text, value) || value > most) refuse(option, list, text, expected);
    return static_cast<int>(value);
  };
  std::vector<int> devices;
  for (const std::string& part : split(option, list)) {
    const std::size_t dots = part.find("..");
    const std::string_view text = part;
    if (dots == std::string::npos) {
      devices.push_back(number(text));
      continue;
    }
    const int first = number(text.substr(0, dots)), last = number(text.substr(dots + 2));
    if (first > last) refuse(option, list, part, expected);
    for (int device = first; device <= last; ++device) devices.push_back(device);
  }
  return devices;
}

unsigned parse_count(std::string_view option, std::string_view text) try {
  return count_of(text, "expected a whole number of at least 1");
} catch (const Invalid& reason) {
  refuse(option, text, text, reason.what());
}

std::string nearest(std::string_view given, std::span<const std::string> choices) {
  std::vector<std::string> sorted(choices.begin(), choices.end());
  const auto far = [&](const std::string& choice) {
    const auto whole_word = distance(given, choice);
    return choice.starts_with(given) ? std::min<std::size_t>(1, whole_word) : whole_word;
  };
  const auto near = *std::ranges::min_element(sorted, {}, far);
  const bool none = far(near) > std::max<std::size_t>(2, given.size() / 2);  // it is another word
  if (sorted.size() <= 8 || none) return "choose from " + join(sorted);
  std::ranges::stable_sort(sorted, {}, far);
  return concat("did you mean ", sorted[0], ", ", sorted[1], " or ", sorted[2], "?");
}

}  // namespace ladder::bench
