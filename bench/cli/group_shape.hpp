#pragma once

// --shape: what gets a result of its own in place of the whole array.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/groups.hpp"

namespace ladder::bench {

/// How long segments are.
enum class Lengths : std::uint8_t {
  uniform,  ///< each length from `least` to `most` as often
  zipf,     ///< the r-th longest is 1/r as long as the longest, `most` on average
  half,     ///< one has half of all elements, the others have `most` each
  file      ///< offsets of a file
};

/// Rows or columns of a matrix, or segments; by default the whole array.
struct GroupShape {
  Grouping by = Grouping::whole;
  std::size_t rows = 0;     ///< of the matrix; 0: as many as the size has
  std::size_t columns = 0;  ///< of the matrix
  std::size_t pitch = 0;    ///< elements from row to row; 0: `columns`
  Lengths lengths = Lengths::uniform;
  std::size_t least = 0, most = 0;
  std::string file = {};  ///< of offsets

  bool operator==(const GroupShape&) const = default;
  /// Whether it says itself how many elements there are.
  bool has_size() const { return rows > 0 || lengths == Lengths::file; }
  /// As on the command line, but of a file its name alone, without the folders of whoever measures:
  /// "rows:4096x65536", "segments:zipf:64".
  std::string text() const;
};

/// "rows:4096x65536" or "columns:4096x65536", a matrix of so many rows by so many columns;
/// "/65600" behind it sets the pitch. "rows:16", "columns:64": so many columns, as many rows as
/// the size has; a range ("rows:4..1024") doubles. "segments:uniform:8..8192", "segments:zipf:64",
/// "segments:half:64", "segments:file:PATH". Throws `UsageError`.
std::vector<GroupShape> read_shapes(std::string_view text);

}  // namespace ladder::bench
