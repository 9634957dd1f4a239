#include "bench/selection.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "bench/sweeps.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

/// The parts of a list option, each looked up by name in a table of (name, value).
template <class T>
std::vector<T> named(std::string_view option, std::string_view list,
                     const std::vector<std::pair<std::string, T>>& table) {
  std::vector<T> values;
  for (const auto& part : split(option, list)) {
    const auto found = std::ranges::find(table, part, &std::pair<std::string, T>::first);
    if (found == table.end()) {
      std::vector<std::string> choices;
      for (const auto& row : table) choices.push_back(row.first);
      throw UsageError(std::string(option) + ": '" + part + "' is unknown; " +
                       nearest(part, choices));
    }
    if (std::ranges::find(values, found->second) == values.end()) values.push_back(found->second);
  }
  return values;
}

template <class Table, class Member>
auto names_of(const Table& table, Member value) {
  using Value = std::decay_t<decltype(table[0].*value)>;
  std::vector<std::pair<std::string, Value>> rows;
  for (const auto& row : table) rows.emplace_back(row.name, row.*value);
  return rows;
}

double positive(std::string_view option, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) ||
      !std::isfinite(value)) {
    throw UsageError(std::string(option) + "=" + std::string(text) +
                     ": expected a number above zero");
  }
  return value;
}

std::vector<GivenPeak> parse_peaks(std::string_view list) {
  std::vector<GivenPeak> peaks;
  for (const auto& part : split("--peak-gbs", list)) {
    const auto colon = part.rfind(':');
    const bool has_name = colon != std::string::npos;
    peaks.push_back(
        {has_name ? part.substr(0, colon) : "",
         positive("--peak-gbs", std::string_view(part).substr(has_name ? colon + 1 : 0))});
  }
  return peaks;
}

/// Lets the sweeps of --sweep set what the command line does not.
void take_sweeps(Selection& selection, Lists& given, const std::string& list) {
  std::vector<std::pair<std::string, const Sweep*>> table;
  for (const auto& sweep : sweeps()) table.emplace_back(sweep.name, &sweep);
  const bool own_rungs = !given.rungs.empty();
  fill_in(given, named("--sweep", list, table));
  if (!own_rungs) selection.rungs_sweep = list;
}

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
      throw UsageError(flag + ": " +
                       (flag.starts_with("-") ? "unknown option" : "unexpected argument") + "; " +
                       nearest(flag.substr(0, flag.find('=')), options));
    }
  }
}

void take_lists(Selection& selection, const Lists& lists) {
  if (!lists.rungs.empty()) selection.rungs = split("--rungs", lists.rungs);
  if (!lists.types.empty())
    selection.types = named("--types", lists.types, names_of(types, &TypeFacts::type));
  if (!lists.operations.empty()) {
    selection.operations =
        named("--ops", lists.operations, names_of(operations, &OperationFacts::operation));
  }
  if (!lists.sizes.empty()) selection.sizes = parse_sizes("--sizes", lists.sizes);
  if (!lists.block.empty()) selection.blocks = parse_counts("--block", lists.block, true);
  if (!lists.grid.empty()) selection.grids = parse_grids("--grid", lists.grid);
  if (!lists.items.empty()) selection.items = parse_counts("--items", lists.items);
}

}  // namespace

std::optional<Selection> parse_command_line(int argc, const char* const* argv) {
  Selection selection;
  selection.command.assign(argv, argv + argc);
  Lists lists;
  std::string backends, sweep, workers, place, cache, scope, data, peaks, samples, seed, device;

  CLI::App app{
      "Measures the reduction ladder: every selected rung on every backend of this build, each "
      "result checked.\n"
      "Without options: float sums at one size beyond the caches. --benchmark_filter, _format, "
      "_out and the\n"
      "rest of Google Benchmark's flags work too. Exit status: 0 all measured and right, 1 "
      "something was wrong\n"
      "or failed, 2 it could not be run as asked."};
  app.name("ladder");
  app.allow_extras();
  app.set_version_flag("--version", std::string(build_info().version) + " (" +
                                        std::string(build_info().commit) + ")");
  app.add_flag("--list", selection.list, "List backends and rungs, and measure nothing");
  app.add_option("--format", selection.list_format, "Of --list: table or json");
  app.add_flag("--dry-run", selection.dry_run, "Print the plan: measurements, time, memory");
  app.add_option("--backends", backends, "cuda,cpu: default all that this machine can run");
  app.add_option("--sweep", sweep, "Standard sweeps, of the names below");
  app.add_option("--rungs", lists.rungs, "r04,r10..r16,lib: default all");
  app.add_option("--types", lists.types, "f32,f64,i32,i64: default f32");
  app.add_option("--ops", lists.operations, "sum,product,min,max,and,or,xor: default sum");
  app.add_option("--sizes", lists.sizes, "2^10..2^30 (a range doubles), 1000003 elements, 256MiB");
  app.add_option("--block", lists.block, "Threads in a block: powers of two from 32 to 1024");
  app.add_option("--grid", lists.grid,
                 "Blocks, or 4x: for each multiprocessor; for rungs with a fixed grid");
  app.add_option("--items", lists.items, "Elements per thread, for coarsened rungs");
  app.add_option("--workers", workers, "Threads, on a CPU");
  app.add_option("--place", place,
                 "Of the deciding element in min, max, and, or: first,last,tail,edge,random");
  app.add_option("--cache", cache, "cold, hot or both: default cold");
  app.add_option("--scope", scope, "kernel, host or both: default both");
  app.add_option("--data", data,
                 "exact, uniform, normal or file:PATH (raw, or .npy): default exact");
  app.add_option("--seed", seed, "Of the data: default 1");
  app.add_option("--samples", samples, "Of each measurement: default by time budget");
  app.add_flag("--quick", selection.quick, "A fifth of the time budget");
  app.add_option("--records", selection.records,
                 "Append every sample to this file, one JSON object a line");
  app.add_flag("--resume", selection.resume, "Take only the samples that the records file lacks");
  app.add_flag("--profile", selection.profile,
               "For profilers: one sample each, in order, nothing held or evicted by chance");
  app.add_option("--device", device, "Index of the GPU: default 0");
  app.add_option("--peak-gbs", peaks,
                 "Theoretical peak in GB/s where it cannot be found out; or BACKEND:GBS");

  app.footer(sweeps_text());

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  std::vector<std::string> options;
  for (const auto* option : app.get_options()) options.push_back(option->get_name());
  take_benchmark_flags(selection, app.remaining(), options);

  if (!sweep.empty()) {
    take_sweeps(selection, lists, sweep);
    if (scope.empty()) selection.scopes.clear();
  }
  if (!backends.empty()) selection.backends = split("--backends", backends);
  take_lists(selection, lists);
  if (!workers.empty()) selection.workers = parse_counts("--workers", workers);
  if (!place.empty()) {
    std::vector<std::pair<std::string, Place>> table;
    for (std::size_t i = 0; i < place_names.size(); ++i)
      table.emplace_back(place_names[i], static_cast<Place>(i));
    selection.places = named("--place", place, table);
  }
  if (cache == "both") {
    selection.caches = {Cache::cold, Cache::hot};
  } else if (!cache.empty()) {
    selection.caches = named<Cache>("--cache", cache, {{"cold", Cache::cold}, {"hot", Cache::hot}});
  }
  if (!scope.empty() && scope != "both") {
    selection.scopes =
        named<Scope>("--scope", scope, {{"kernel", Scope::kernel}, {"host", Scope::host}});
  }
  if (data.starts_with("file:")) {
    selection.data = Data::file;
    selection.data_file = data.substr(5);
  } else if (!data.empty()) {
    selection.data = named<Data>("--data", data,
                                 {{"exact", Data::exact},
                                  {"uniform", Data::uniform},
                                  {"normal", Data::normal},
                                  {"file:PATH", Data::file}})[0];
    if (selection.data == Data::file) throw UsageError("--data=file:PATH: name the file");
  }
  if (!samples.empty()) selection.samples = parse_counts("--samples", samples)[0];
  if (!peaks.empty()) selection.peaks = parse_peaks(peaks);
  const auto whole = [](std::string_view option, const std::string& text, auto& value) {
    if (text.empty()) return;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
      throw UsageError(std::string(option) + "=" + text + ": expected a whole number");
    }
  };
  whole("--device", device, selection.device);
  whole("--seed", seed, selection.seed);
  if (selection.resume && selection.records.empty())
    throw UsageError("--resume: needs --records=FILE");
  if (selection.profile && !selection.records.empty()) {
    throw UsageError("--profile: its times mean nothing and are not recorded; leave out --records");
  }
  if (selection.list_format != "table" && selection.list_format != "json") {
    throw UsageError("--format=" + selection.list_format + ": choose from table, json");
  }
  for (const unsigned b : selection.blocks) {
    if (b < 32 || b > 1024)
      throw UsageError("--block=" + std::to_string(b) +
                       ": choose from 32, 64, 128, 256, 512, 1024");
  }
  return selection;
}

}  // namespace ladder::bench
