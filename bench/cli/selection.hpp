#pragma once

// What the user asked for: the command line, read and checked as far as that needs no backend.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/text.hpp"
#include "common/data.hpp"
#include "common/device/device.hpp"
#include "common/ladder.hpp"

namespace ladder {
class Backend;
}

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
  std::size_t rows = 0;     ///< of the matrix; 0: derived from the size
  std::size_t columns = 0;  ///< of the matrix
  std::size_t pitch = 0;    ///< elements from row to row; 0: `columns`
  Lengths lengths = Lengths::uniform;
  std::size_t least = 0, most = 0;
  std::string file = {};  ///< of offsets
  /// As on the command line, but of a file its name alone, without the folders of whoever measures:
  /// "rows:4096x65536", "segments:zipf:64"; empty for the whole array.
  std::string text = {};

  bool operator==(const GroupShape&) const = default;
  /// Whether it says itself how many elements there are.
  bool has_size() const { return rows > 0 || lengths == Lengths::file; }
};

enum class Cache : std::uint8_t { cold, hot };
/// `chain`: calls back to back on one stream, the time of each: what a loop of calls pays.
enum class Scope : std::uint8_t { kernel, host, chain };

constexpr std::string_view name(Cache cache) { return cache == Cache::cold ? "cold" : "hot"; }
constexpr std::array<std::string_view, 3> scope_names{"kernel", "host", "chain"};
constexpr std::string_view name(Scope scope) {
  return scope_names[static_cast<std::size_t>(scope)];
}

/// A theoretical peak given by the user, for the device of one backend or, with no name, the CPU.
struct GivenPeak {
  std::string backend;
  double gbs = 0;
  bool operator==(const GivenPeak&) const = default;
};

struct Selection {
  bool list = false, dry_run = false, quick = false, resume = false, profile = false;
  bool energy = false;       ///< the energy is measured in place of the time
  bool no_ceilings = false;  ///< nothing is held against the read-only sweep
  std::string list_format = "table";

  std::vector<std::string> backends;  ///< empty: all that can be opened
  std::vector<std::string> rungs;     ///< ids, slugs, "r10..r16", "lib"; empty: all
  bool rungs_may_lack = false;        ///< `rungs` are a default: what no backend has is passed over
  std::vector<Type> types{Type::f32};
  std::vector<Operation> operations{Operation::sum};
  std::vector<Size> sizes;  ///< empty: one size that memory bandwidth can be claimed from
  std::vector<GroupShape> shapes{GroupShape{}};
  /// By the names of `tuning_axes`; an axis that is missing has the backend's default.
  std::map<std::string_view, std::vector<AxisValue>> tuning;
  std::vector<Cache> caches{Cache::cold};
  std::vector<Scope> scopes{Scope::kernel, Scope::host};  ///< empty: each backend's finest

  Data data = Data::exact;
  std::string data_file;
  std::string tuning_file;  ///< of the tuned rung; empty: the usual one, if it is there
  std::uint64_t seed = 1;
  std::optional<unsigned> samples;
  unsigned processes = 1;
  std::string records;
  std::vector<int> devices{0};  ///< numbers of GPUs, or `every_device`
  double watchdog = 600;        ///< seconds that a run on a GPU may take; 0: as long as it likes
  /// What the host's device is told by the environment: LADDER_CPU_TARGETS, LADDER_PAGES. Empty:
  /// whatever that says.
  std::string cpu_targets, pages;
  std::vector<GivenPeak> peaks;

  std::string filter;         ///< --benchmark_filter, applied to our own names
  bool list_tests = false;    ///< --benchmark_list_tests
  std::string benchmark_out;  ///< file of Google Benchmark's report, in JSON; empty: none

  std::vector<std::string> command;  ///< the whole command line, for the record

  bool names(std::string_view backend) const {
    return std::ranges::find(backends, backend) != backends.end();
  }
  bool asks_for(std::string_view backend) const { return backends.empty() || names(backend); }
};

/// Reads the command line. Throws `UsageError`. Returns nothing where there is nothing left to do:
/// help or the version was asked for and printed.
std::optional<Selection> parse_command_line(int argc, const char* const* argv);

// The readers of parse.cpp take one part of a list, and throw a `UsageError` that says what would
// be valid.

/// "2^20", "1000003", "256MiB"; a range ("2^10..2^30") doubles from its first to its last.
std::vector<Size> read_sizes(std::string_view text);

/// "512", "4x": a whole number as the axis allows it; a range ("1x..64x") doubles.
std::vector<AxisValue> read_axis(const Axis& axis, std::string_view text);

/// "3", "0..7": device numbers, a range with all between its ends; "all" is `every_device`.
std::vector<int> read_devices(std::string_view text);

/// A whole number of at least one ("5", "2^10").
unsigned read_count(std::string_view text);

/// "rows:4096x65536" or "columns:4096x65536": a matrix of 4096 rows by 65536 columns; a suffix
/// "/65600" sets the pitch. "rows:16", "columns:64": the number of columns, with the number of rows
/// from the size; a range ("rows:4..1024") doubles. "segments:uniform:8..8192", "segments:zipf:64",
/// "segments:half:64", "segments:file:PATH". Throws `UsageError`.
std::vector<GroupShape> read_shapes(std::string_view text);

/// Throws `UsageError` for a part of --rungs that no ladder has. Accepts any name that begins with
/// `library_` or with a rung's id and `_`: only a backend knows its libraries and variants.
void check_rung_names(const std::vector<std::string>& parts);

/// Of each backend the indices into `rungs()`. Throws `UsageError` where a part of the list means
/// nothing on any of them; it names those that are `not_open`, with the reason.
std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<Backend* const> backends,
    const std::vector<std::string>& not_open);

}  // namespace ladder::bench
