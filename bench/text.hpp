#pragma once

// Reading what the user typed, and writing numbers as people read them.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/types.hpp"

namespace ladder::bench {

/// Something on the command line that cannot be: the option, what was given, what would be valid.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A size as given: elements, or bytes where it carries a unit ("256MiB").
struct Size {
  std::size_t amount = 0;
  bool bytes = false;
  /// Elements of `type`; bytes are rounded down to whole elements.
  std::size_t elements(Type type) const { return bytes ? amount / facts(type).bytes : amount; }
  bool operator==(const Size&) const = default;
};

/// A grid as given: blocks, or, with an x behind them ("4x"), blocks for each multiprocessor.
struct GridSize {
  std::size_t amount = 0;
  bool per_unit = false;
  bool operator==(const GridSize&) const = default;
};

/// "a,b,c" as its parts; empty parts are errors of `option`.
std::vector<std::string> split(std::string_view option, std::string_view list);

/// "2^10..2^30,1000003,256MiB": powers, plain numbers, bytes; a range doubles from its first to its
/// last.
std::vector<Size> parse_sizes(std::string_view option, std::string_view list);

/// "32..1024,48": whole numbers of at least one; a range doubles. With `powers`, only powers of
/// two.
std::vector<unsigned> parse_counts(std::string_view option, std::string_view list,
                                   bool powers = false);

/// "512,1x..64x": counts as above, each of blocks or of blocks for each multiprocessor.
std::vector<GridSize> parse_grids(std::string_view option, std::string_view list);

/// The choices nearest to `given` by edit distance, best first, as "did you mean r04 or r05?"; all
/// of them where there are few.
std::string nearest(std::string_view given, std::span<const std::string> choices);

/// 1.5e-6 as "1.50 µs", with `digits` significant digits.
std::string seconds_text(double seconds, int digits);
/// With `digits` significant digits, never in exponent form; digits left of the point are kept.
std::string number_text(double value, int digits);
/// 1073741824 as "1.0 GiB".
std::string bytes_text(double bytes);
/// Elements as "2^28" where it is a power of two, else as they are.
std::string elements_text(std::size_t n);
/// Width on a terminal: UTF-8 continuation bytes take no room.
std::size_t width(std::string_view text);

}  // namespace ladder::bench
