#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <CLI/CLI.hpp>

#include "bench/cli/options.hpp"
#include "bench/text.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

/// The flags of Google Benchmark: most are its own, some are ours to keep, some would break the
/// measuring.
void take_benchmark_flags(Selection& selection, const std::vector<std::string>& extras,
                          const std::vector<std::string>& options) {
  for (const auto& flag : extras) {
    const auto value = flag.substr(std::min(flag.size(), flag.find('=') + 1));
    const auto is = [&](std::string_view name) {
      return flag == name || flag.starts_with(std::string(name) + "=");
    };
    if (is("--benchmark_repetitions") || is("--benchmark_min_time") ||
        is("--benchmark_min_warmup_time")) {
      throw UsageError(flag + ": the harness decides how often a rung runs; use --samples=N");
    }
    if (is("--benchmark_filter")) {
      selection.filter = value == "all" ? "" : value;
    } else if (is("--benchmark_list_tests")) {
      selection.list_tests = value != "false" && value != "0";
    } else if (flag.starts_with("--benchmark_") || is("--v")) {
      selection.benchmark_prints |= is("--benchmark_format");
      selection.benchmark.push_back(flag);
    } else {
      const auto* what = flag.starts_with("-") ? "unknown option" : "unexpected argument";
      throw UsageError(
          concat(flag, ": ", what, "; ", nearest(flag.substr(0, flag.find('=')), options)));
    }
  }
}

/// What an axis takes, for --help.
std::string help_of(const Axis& axis) {
  std::string text(axis.help);
  text.front() = static_cast<char>(std::toupper(text.front()));
  if (axis.power_of_two) text += concat(": powers of two from ", axis.least, " to ", axis.most);
  return text + (axis.per_unit ? "; 4x: four per SM" : "");
}

/// A path that is missing would be the option that follows, or none at all.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i], before = argv[i - 1];
    if (argument.empty())
      throw UsageError(concat(i > 1 ? before : "ladder", ": its value is empty"));
    const auto equals = argument.find('=');
    if (argument.starts_with("--") && equals + 1 == argument.size())
      throw UsageError(concat(argument, ": its value is empty"));
  }
}

void check_records(const std::string& path) {
  constexpr std::array compressed{".gz", ".xz", ".bz2", ".zst"};
  if (std::ranges::any_of(compressed, [&](const char* end) { return path.ends_with(end); })) {
    throw UsageError(concat("--records=", path,
                            ": records are appended as text; name a .jsonl file and compress it "
                            "afterwards"));
  }
}

}  // namespace

std::optional<Selection> parse_command_line(int argc, const char* const* argv) {
  refuse_empty_values(argc, argv);
  Selection selection;
  selection.command.assign(argv, argv + argc);
  Options given;

  CLI::App app{
      "Measures the reduction ladder: every selected rung on every backend of this build, each "
      "result checked.\n"
      "Without options: float sums at one size beyond the caches. --benchmark_filter, _format, "
      "_out and the\n"
      "rest of Google Benchmark's flags work too. Exit status: 0 all measured and right, 1 "
      "something was wrong\n"
      "or failed, 2 it could not be run as asked, 3 the device was lost: --resume goes on behind "
      "it."};
  app.name("ladder");
  app.allow_extras();
  app.set_version_flag("--version", concat(build_info().version, " (", build_info().commit, ")"));
  const auto option = [&](std::string_view name, const std::string& help) {
    return app.add_option(concat("--", name), given[std::string(name)], help);
  };
  app.add_flag("--list", selection.list, "List backends and rungs, and measure nothing");
  const auto* format =
      app.add_option("--format", selection.list_format, "Of --list: table or json");
  app.add_flag("--dry-run", selection.dry_run, "Print the plan: measurements, time, memory");
  option("backends", "cuda,cpu: default all that this machine can run");
  option("sweep", "Standard sweeps, of the names below");
  option("rungs", "r04,r10..r16,lib: default all");
  option("types", join(types, ",", &TypeFacts::name) + ": default f32");
  option("ops", join(operations, ",", &OperationFacts::name) + ": default sum");
  option("sizes", "2^10..2^30 (a range doubles), 1000003 elements, 256MiB");
  for (const auto& axis : tuning_axes) option(axis.name, help_of(axis));
  option("place", "Of the deciding element in min, max, and, or: first,last,tail,edge,random");
  option("cache", "cold, hot or both; cold-data (code just run on other data): default cold");
  option("scope", "kernel, host or both: default both");
  option("data", "exact, uniform, normal or file:PATH (raw, or .npy): default exact");
  option("seed", "Of the data: default 1");
  option("offset", "Bytes that the input begins behind an aligned address")->group("");  // of tests
  option("samples", "Of each measurement: default by time budget");
  option("processes", "Fresh ones, one after the other: default 1; 5 for an interval between them");
  app.add_flag("--quick", selection.quick, "A fifth of the time budget");
  app.add_flag("--no-ceilings", selection.no_ceilings,
               "Leave out the read-only sweep, and with it the percentages of the ceiling");
  app.add_flag("--energy", selection.energy,
               "Measure energy in place of time: r04, r16, r30, c07, c13 and the libraries on 4 "
               "GiB, unless others are named");
  app.add_flag("--results", selection.results, "Print the reduced value of each measurement too");
  app.add_flag("--wide", selection.wide, "Tables with all columns, wider than the terminal");
  app.add_option("--records", selection.records,
                 "Append every sample to this file, one JSON object per line");
  app.add_flag("--resume", selection.resume, "Take only the samples that the records file lacks");
  option("watchdog", "Seconds that a run on a GPU may take: default 600; 0 for ever");
  app.add_flag("--profile", selection.profile,
               "For profilers: one sample each, in order, nothing held, nothing evicted "
               "unless --cache=cold is named");
  option("device", "Index of the GPU: default 0");
  option("devices", "0,1 or 0..7, or all: GPUs for the rungs past one device, m00 on");
  option("cpu-targets", "Vectors that CPU rungs by Highway may use, say AVX2: default the best");
  option("pages",
         "Of the CPU's memory: large (where the system gives such) or small; default large");
  option("tuning", "File of choices for r30, as ./study tune writes it");
  option("peak-gbs", "Theoretical peak in GB/s where it cannot be found out; or BACKEND:GBS");
  app.footer(standard_sweeps_text());

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  std::vector<std::string> options;
  for (const auto* known : app.get_options()) {
    auto name = known->get_name();  // empty where --help does not show it
    if (!name.empty()) options.push_back(std::move(name));
  }
  take_benchmark_flags(selection, app.remaining(), options);
  if (!given["sweep"].empty()) take_sweeps(selection, given);
  take_options(selection, given);
  take_energy(selection, given);

  check_records(selection.records);
  if (selection.resume && selection.records.empty())
    throw UsageError("--resume: needs --records=FILE");
  if (selection.processes > 1 && (selection.profile || !selection.benchmark.empty())) {
    throw UsageError(concat("--processes: not with ",
                            selection.profile ? "--profile" : selection.benchmark.front(),
                            ", which is about one process"));
  }
  if (selection.profile && !selection.records.empty()) {
    throw UsageError("--profile: its times mean nothing and are not recorded; leave out --records");
  }
  if (selection.list_format != "table" && selection.list_format != "json") {
    throw UsageError("--format=" + selection.list_format + ": choose from table, json");
  }
  if (format->count() > 0 && !selection.list)
    throw UsageError("--format: is of --list; --benchmark_format is that of a run");
  return selection;
}

}  // namespace ladder::bench
