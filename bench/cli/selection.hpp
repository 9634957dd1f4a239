#pragma once

// What the user asked for: the command line, read and checked as far as that needs no backend.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/cli/parse.hpp"
#include "common/data.hpp"

namespace ladder {
class Backend;
}

namespace ladder::bench {

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

/// Throws `UsageError` for a part of --rungs that no ladder has. Accepts any name that begins with
/// `library_` or with a rung's id and `_`: only a backend knows its libraries and variants.
void check_rung_names(const std::vector<std::string>& parts);

/// Of each backend the indices into `rungs()`. Throws `UsageError` where a part of the list means
/// nothing on any of them; it names those that are `not_open`, with the reason.
std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<Backend* const> backends,
    const std::vector<std::string>& not_open);

}  // namespace ladder::bench
