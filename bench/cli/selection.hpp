#pragma once

// The parsed command line, validated as far as possible without a backend.

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

/// An invalid option: the message has the option, the given value and the valid values.
class UsageError : public NotPossible {
 public:
  using NotPossible::NotPossible;
};

/// Keeps the byte count of every type below 2^64.
inline constexpr std::size_t most_elements = std::size_t{1} << 60;

/// A size as given: elements, or bytes if it has a unit ("256MiB").
struct Size {
  std::size_t amount = 0;
  bool bytes = false;
  /// Elements of `type`; bytes are rounded down to whole elements.
  std::size_t elements(Type type) const { return bytes ? amount / facts(type).bytes : amount; }
  bool operator==(const Size&) const = default;
};

/// An axis value as given; a suffix x ("4x") means per SM.
struct AxisValue {
  std::size_t amount = 0;
  bool per_unit = false;
  bool operator==(const AxisValue&) const = default;
};

/// Distribution of segment lengths.
enum class Lengths : std::uint8_t {
  uniform,  ///< uniform on [least, most]
  zipf,     ///< the r-th longest has 1/r of the longest's length; mean `most`
  half,     ///< one segment has half of all elements, the others `most` each
  file      ///< offsets read from a file
};

/// Rows or columns of a matrix, or segments; by default the whole array.
struct GroupShape {
  Grouping by = Grouping::whole;
  std::size_t rows = 0;     ///< rows of the matrix; 0: derived from the size
  std::size_t columns = 0;  ///< columns of the matrix
  std::size_t pitch = 0;    ///< row stride in elements; 0: `columns`
  Lengths lengths = Lengths::uniform;
  std::size_t least = 0, most = 0;
  std::string file = {};  ///< path of the offsets
  /// As on the command line, without the directories of a file: "rows:4096x65536",
  /// "segments:zipf:64"; empty for the whole array.
  std::string text = {};

  bool operator==(const GroupShape&) const = default;
  /// True if the shape itself determines the number of elements.
  bool has_size() const { return rows > 0 || lengths == Lengths::file; }
};

enum class Cache : std::uint8_t { cold, hot };
/// `chain`: time per call of back-to-back calls on one stream, as in a loop.
enum class Scope : std::uint8_t { kernel, host, chain };

constexpr std::string_view name(Cache cache) { return cache == Cache::cold ? "cold" : "hot"; }
constexpr std::array<std::string_view, 3> scope_names{"kernel", "host", "chain"};
constexpr std::string_view name(Scope scope) {
  return scope_names[static_cast<std::size_t>(scope)];
}

/// A theoretical peak given by the user for one backend's device; without a name, for the CPU.
struct GivenPeak {
  std::string backend;
  double gbs = 0;
  bool operator==(const GivenPeak&) const = default;
};

struct Selection {
  bool list = false, dry_run = false, quick = false, resume = false, profile = false;
  bool energy = false;       ///< measure energy instead of time
  bool no_ceilings = false;  ///< no comparison with the read-only sweep
  std::string list_format = "table";

  std::vector<std::string> backends;  ///< empty: all that can be opened
  std::vector<std::string> rungs;     ///< ids, slugs, "r10..r16", "lib"; empty: all
  bool rungs_may_lack = false;        ///< `rungs` are a default: unknown ones are skipped
  std::vector<Type> types{Type::f32};
  std::vector<Operation> operations{Operation::sum};
  std::vector<Size> sizes;  ///< empty: one size large enough to measure memory bandwidth
  std::vector<GroupShape> shapes{GroupShape{}};
  /// By axis name; a missing axis takes the backend's default.
  std::map<std::string_view, std::vector<AxisValue>> tuning;
  std::vector<Cache> caches{Cache::cold};
  std::vector<Scope> scopes{Scope::kernel, Scope::host};  ///< empty: the finest of each device

  Data data = Data::exact;
  std::string data_file;
  std::string tuning_file;  ///< for the tuned rung; empty: the user's default file, if it exists
  std::uint64_t seed = 1;
  std::optional<unsigned> samples;
  unsigned processes = 1;
  std::string records;
  std::vector<int> devices{0};  ///< GPU indices, or `every_device`
  double watchdog = 600;        ///< time limit in seconds of a run on a GPU; 0: none
  /// Values for LADDER_CPU_TARGETS and LADDER_PAGES, which the host device reads; empty: leave the
  /// variable unchanged.
  std::string cpu_targets, pages;
  std::vector<GivenPeak> peaks;

  std::string filter;         ///< applied to Measurement::name()
  bool list_tests = false;    ///< --benchmark_list_tests
  std::string benchmark_out;  ///< file of Google Benchmark's report, in JSON; empty: none

  std::vector<std::string> command;  ///< full command line, for the records

  bool names(std::string_view backend) const {
    return std::ranges::find(backends, backend) != backends.end();
  }
  bool asks_for(std::string_view backend) const { return backends.empty() || names(backend); }
};

/// Parses the command line. Returns nullopt after printing help or the version. Throws
/// `UsageError`.
std::optional<Selection> parse_command_line(int argc, const char* const* argv);

// The readers of parse.cpp parse one part of a list. They throw a `UsageError` that names the valid
// values.

/// "2^20", "1000003", "256MiB"; a range ("2^10..2^30") doubles from its first to its last.
std::vector<Size> read_sizes(std::string_view text);

/// "512", "4x": an integer valid for the axis; a range ("1x..64x") doubles.
std::vector<AxisValue> read_axis(const Axis& axis, std::string_view text);

/// "3", "0..7": device indices (ranges are inclusive); "all" is `every_device`.
std::vector<int> read_devices(std::string_view text);

/// An integer ≥ 1 ("5", "2^10").
unsigned read_count(std::string_view text);

/// "rows:4096x65536" or "columns:4096x65536": a matrix of 4096 rows by 65536 columns; a suffix
/// "/65600" sets the pitch. "rows:16", "columns:64": the number of columns, with the number of rows
/// from the size; a range ("rows:4..1024") doubles. "segments:uniform:8..8192", "segments:zipf:64",
/// "segments:half:64", "segments:file:PATH". Throws `UsageError`.
std::vector<GroupShape> read_shapes(std::string_view text);

/// Throws `UsageError` for a part of --rungs that no ladder has. Accepts any name that begins with
/// `library_` or with a rung's id and `_`: only a backend knows its libraries and variants.
void check_rung_names(const std::vector<std::string>& parts);

/// Maps each backend to the selected indices into `rungs()`. Throws `UsageError` if no open backend
/// knows a part of the list; the message contains the lines of `not_open`.
std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<Backend* const> backends,
    const std::vector<std::string>& not_open);

}  // namespace ladder::bench
