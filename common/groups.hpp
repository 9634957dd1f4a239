#pragma once

// Many reductions at once: which elements of one array make up each result.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ladder {

/// What gets a result of its own: the whole array, each row or column of a matrix that lies row
/// behind row, or each segment between two offsets. `Rung::groupings` joins these bits.
enum class Grouping : std::uint8_t { whole = 1, rows = 2, columns = 4, segments = 8 };

constexpr unsigned bit(Grouping grouping) { return static_cast<unsigned>(grouping); }

constexpr std::string_view name(Grouping grouping) {
  switch (grouping) {
    case Grouping::rows:
      return "rows";
    case Grouping::columns:
      return "columns";
    case Grouping::segments:
      return "segments";
    case Grouping::whole:
      break;
  }
  return "whole arrays";
}

/// The groups of a problem, each of which is reduced to a result of its own. A group may be empty:
/// its result is the identity.
struct Groups {
  Grouping by = Grouping::whole;
  std::size_t count = 1;   ///< groups, and so results
  std::size_t length = 0;  ///< elements of each group; of segments the longest
  /// Elements from the beginning of a row of the matrix to that of the next one.
  std::size_t pitch = 0;
  /// Segment g has the elements from offsets[g] to offsets[g + 1], `count` + 1 offsets in all that
  /// never descend; where the rung reads them.
  const std::int64_t* offsets = nullptr;

  /// Elements from the first to behind the last one that is reduced, of n in all.
  constexpr std::size_t extent(std::size_t n) const {
    if (n == 0) return 0;
    if (by == Grouping::rows) return (count - 1) * pitch + length;
    if (by == Grouping::columns) return (length - 1) * pitch + count;
    return n;
  }
  /// The index of element i of group g; not for segments, whose offsets may lie on a device.
  constexpr std::size_t index(std::size_t g, std::size_t i) const {
    return by == Grouping::columns ? i * pitch + g : g * pitch + i;
  }
  bool operator==(const Groups&) const = default;
};

}  // namespace ladder
