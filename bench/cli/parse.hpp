#pragma once

// Reads what the user typed: sizes, shapes, values of a tuning's axes, numbers. A reader takes one
// part of a list and throws a `UsageError` that says what would be valid.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/text.hpp"
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

/// "2^20", "1000003", "256MiB"; a range ("2^10..2^30") doubles from its first to its last.
std::vector<Size> read_sizes(std::string_view text);

/// "512", "4x": a whole number as the axis allows it; a range ("1x..64x") doubles.
std::vector<AxisValue> read_axis(const Axis& axis, std::string_view text);

/// "3", "0..7": device numbers, a range with all between its ends; "all" is `every_device`.
std::vector<int> read_devices(std::string_view text);

/// A whole number of at least one ("5", "2^10").
unsigned read_count(std::string_view text);

/// How long segments are.
enum class Lengths : std::uint8_t {
  uniform,  ///< each length from `least` to `most` as often
  zipf,     ///< the r-th longest is 1/r as long as the longest, `most` on average
  half      ///< one has half of all elements, the others have `most` each
};

/// Rows or columns of a matrix, or segments; by default the whole array.
struct GroupShape {
  Grouping by = Grouping::whole;
  std::size_t rows = 0;     ///< of the matrix; 0: derived from the size
  std::size_t columns = 0;  ///< of the matrix
  Lengths lengths = Lengths::uniform;
  std::size_t least = 0, most = 0;
  /// As on the command line: "rows:4096x65536", "segments:zipf:64"; empty for the whole array.
  std::string text = {};

  bool operator==(const GroupShape&) const = default;
  /// Whether it says itself how many elements there are.
  bool has_size() const { return rows > 0; }
};

/// "rows:4096x65536" or "columns:4096x65536": a matrix of 4096 rows by 65536 columns. "rows:16",
/// "columns:64": the number of columns, with the number of rows from the size; a range
/// ("rows:4..1024") doubles. "segments:uniform:8..8192", "segments:zipf:64", "segments:half:64".
/// Throws `UsageError`.
std::vector<GroupShape> read_shapes(std::string_view text);

}  // namespace ladder::bench
