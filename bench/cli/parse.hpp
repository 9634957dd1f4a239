#pragma once

// Reading what the user typed: lists, sizes, the values of a tuning's axes, misspelt names.

#include <cstddef>
#include <span>
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

/// "a,b,c" as its parts; empty parts are errors of `option`.
std::vector<std::string> split(std::string_view option, std::string_view list);

/// "2^10..2^30,1000003,256MiB": powers, plain numbers, bytes; a range doubles from its first to its
/// last.
std::vector<Size> parse_sizes(std::string_view option, std::string_view list);

/// "32..1024", "512,1x..64x": whole numbers as the axis allows them; a range doubles.
std::vector<AxisValue> parse_axis(const Axis& axis, std::string_view list);

/// "0,1", "0..7": numbers of devices, a range with all between its ends. One may come twice. "all"
/// is `every_device`.
std::vector<int> parse_devices(std::string_view option, std::string_view list);

/// A whole number of at least one.
unsigned parse_count(std::string_view option, std::string_view text);

/// The choices nearest to `given` by edit distance, best first, as "did you mean r04 or r05?"; all
/// of them where there are few, or none is near. Whether letters are capitals does not count.
std::string nearest(std::string_view given, std::span<const std::string> choices);

}  // namespace ladder::bench
