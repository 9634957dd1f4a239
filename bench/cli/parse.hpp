#pragma once

// Reads what the user typed: sizes, values of a tuning's axes, numbers. A reader takes one part of
// a list and throws a `UsageError` that says what would be valid.

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/ladder.hpp"

namespace ladder::bench {

/// Something on the command line that cannot be: the option, what was given, what would be valid.
class UsageError : public NotPossible {
 public:
  using NotPossible::NotPossible;
};

/// A size as given: elements, or bytes where it carries a unit ("256MiB").
struct Size {
  std::size_t amount = 0;
  bool bytes = false;
  /// Elements of `type`; bytes are rounded down to whole elements.
  std::size_t elements(Type type) const { return bytes ? amount / facts(type).bytes : amount; }
  bool operator==(const Size&) const = default;
};

/// A value on an axis as given; with an x behind it ("4x"), so many for each SM.
struct AxisValue {
  std::size_t amount = 0;
  bool per_unit = false;
  bool operator==(const AxisValue&) const = default;
};

/// All of `text` as a decimal number from `least` to `most`; nothing for anything else.
template <class T>
std::optional<T> number(std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= least) || value > most) return std::nullopt;  // NaN is no number either
  return value;
}

/// "2^20", "1000003", "256MiB"; a range ("2^10..2^30") doubles from its first to its last.
std::vector<Size> read_sizes(std::string_view text);

/// "512", "4x": a whole number as the axis allows it; a range ("1x..64x") doubles.
std::vector<AxisValue> read_axis(const Axis& axis, std::string_view text);

/// "3", "0..7": device numbers, a range with all between its ends; "all" is `every_device`.
std::vector<int> read_devices(std::string_view text);

/// A whole number of at least one ("5", "2^10").
unsigned read_count(std::string_view text);

}  // namespace ladder::bench
