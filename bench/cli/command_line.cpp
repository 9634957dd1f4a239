#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>

#include "bench/cli/selection.hpp"
#include "bench/cli/standard_sweeps.hpp"
#include "bench/cli/typed_options.hpp"
#include "bench/text.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

std::vector<GivenPeak> read_peak(const std::string& text) {
  const auto colon = text.rfind(':');
  const bool named = colon != std::string::npos;
  using Limits = std::numeric_limits<double>;
  const auto gbs =
      number(std::string_view(text).substr(named ? colon + 1 : 0), Limits::min(), Limits::max());
  if (!gbs) throw UsageError("expected a number above zero");
  return {{named ? text.substr(0, colon) : "", *gbs}};
}

/// Why records cannot go to `path`; empty where they can.
std::string refused_records(const std::string& path) {
  constexpr std::array compressed{".gz", ".xz", ".bz2", ".zst"};
  if (std::ranges::none_of(compressed, [&](const char* end) { return path.ends_with(end); }))
    return "";
  return concat("'", path, "': records are appended as text; name a .jsonl file and compress it ",
                "afterwards");
}

/// The help of an axis, with the values that it takes.
std::string help_of(const Axis& axis) {
  std::string text(axis.help);
  text.front() = static_cast<char>(std::toupper(text.front()));
  if (axis.power_of_two) text += concat(": powers of two from ", axis.least, " to ", axis.most);
  return text + (axis.per_unit ? "; 4x: four per SM" : "");
}

void add_selection(CLI::App& app, Selection& selection) {
  const auto add_names = [&](const char* option, std::vector<std::string>& names,
                             const char* help) {
    app.add_option(option, names, help)->delimiter(',')->allow_extra_args(false);
  };
  add_names("--backends", selection.backends, "cuda,cpu: default all that this machine can run");
  add_names("--rungs", selection.rungs, "r04,r10..r16,lib: default all");
  add_list(app, "--types", selection.types, one_of(types, &TypeFacts::type),
           join(types, ",", &TypeFacts::name) + ": default f32");
  add_list(app, "--ops", selection.operations, one_of(operations, &OperationFacts::operation),
           join(operations, ",", &OperationFacts::name) + ": default sum");
  add_list(app, "--sizes", selection.sizes, read_sizes,
           "2^10..2^30 (a range doubles), 1000003 elements, 256MiB");
  add_list(app, "--shape", selection.shapes, read_shapes,
           "Many reductions at once: rows:16 (of 16 elements, as many as --sizes has), "
           "rows:4096x65536, columns:64, segments:uniform:8..8192, segments:zipf:64, "
           "segments:half:64, segments:file:PATH (offsets): for the rungs b00 on");
  for (const auto& axis : tuning_axes) {
    const auto read = [&axis](const std::string& text) { return read_axis(axis, text); };
    add_list(app, concat("--", axis.name), selection.tuning[axis.name], read, help_of(axis));
  }
  Choices<Place> places;
  for (const auto& place : place_names)
    places.push_back({std::string(place), {static_cast<Place>(places.size())}});
  add_list(app, "--place", selection.places, one_of(places),
           "Of the deciding element in min, max, and, or: first,last,tail,edge,random");
  add_list(app, "--cache", selection.caches,
           one_of(Choices<Cache>{{"cold", {Cache::cold}},
                                 {"hot", {Cache::hot}},
                                 {"both", {Cache::cold, Cache::hot}},
                                 {"cold-data", {Cache::cold_data}}}),
           "cold, hot or both; cold-data (code just run on other data): default cold");
  add_list(app, "--scope", selection.scopes,
           one_of(Choices<Scope>{{"kernel", {Scope::kernel}},
                                 {"host", {Scope::host}},
                                 {"both", {Scope::kernel, Scope::host}},
                                 {"chain", {Scope::chain}}}),
           "kernel, host or both; chain (calls back to back on a GPU, hot): default both");
}

void add_data(CLI::App& app, Selection& selection) {
  const auto read_data = [&selection](const std::string& text) {
    if (text.starts_with("file:") && text.size() > 5) {
      selection.data_file = text.substr(5);
      return Data::file;
    }
    const Choices<Data> kinds{{"exact", {Data::exact}},
                              {"uniform", {Data::uniform}},
                              {"normal", {Data::normal}},
                              {"file:PATH", {}}};
    return one_of(kinds)(text).front();
  };
  add_value(app, "--data", selection.data, read_data,
            "exact, uniform, normal or file:PATH (raw, or .npy): default exact");
  add_value(app, "--seed", selection.seed, number_from<std::uint64_t>(0, ~std::uint64_t{0}),
            "Of the data: default 1");
}

void add_measuring(CLI::App& app, Selection& selection) {
  auto* samples = add_value(app, "--samples", selection.samples, read_count,
                            "Of each measurement: default by time budget");
  add_value(app, "--processes", selection.processes, read_count,
            "Fresh ones, one after the other: default 1; 5 for an interval between them");
  auto* quick = app.add_flag("--quick", selection.quick, "A fifth of the time budget");
  app.add_flag("--no-ceilings", selection.no_ceilings,
               "Leave out the read-only sweep, and with it the percentages of the ceiling");
  auto* energy = app.add_flag("--energy", selection.energy,
                              "Measure energy in place of time: r04, r16, r30 and the "
                              "libraries on 4 GiB, unless others are named");
  app.add_flag("--wide", selection.wide, "Tables with all columns, wider than the terminal");
  auto* records = app.add_option("--records", selection.records,
                                 "Append every sample to this file, one JSON object per line")
                      ->check(CLI::Validator(refused_records, ""));
  auto* resume = app.add_flag("--resume", selection.resume,
                              "Take only the samples that the records file lacks")
                     ->needs(records);
  add_value(app, "--watchdog", selection.watchdog, number_from(0.0, 86400.0),
            "Seconds that a run on a GPU may take: default 600; 0 for ever");
  auto* profile = app.add_flag("--profile", selection.profile,
                               "For profilers: one sample each, in order, nothing held, nothing "
                               "evicted unless --cache=cold is named")
                      ->excludes(records);
  // Its rungs run back to back, as the host calls them, in rounds of so many seconds.
  energy->excludes(app.get_option("--cache"), app.get_option("--scope"), samples, quick, resume,
                   profile);
}

void add_device(CLI::App& app, Selection& selection) {
  auto* device =
      add_value(app, "--device", selection.device, number_from(0, std::numeric_limits<int>::max()),
                "Index of the GPU: default 0");
  // A device may be named twice.
  const auto take_devices = [&selection](const std::vector<std::string>& parts) {
    for (const auto& part : parts) {
      const auto read = read_for("--devices", part, read_devices);
      selection.devices.insert(selection.devices.end(), read.begin(), read.end());
    }
    selection.device = std::max(0, selection.devices.front());
  };
  app.add_option_function<std::vector<std::string>>(
         "--devices", take_devices,
         "0,1 or 0..7, or all: GPUs for the rungs past one device, m00 on")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(device);
  app.add_option("--cpu-targets", selection.cpu_targets,
                 "Vectors that CPU rungs by Highway may use, say AVX2: default the best");
  app.add_option("--pages", selection.pages,
                 "Of the CPU's memory: large (where the system gives such) or small; default large")
      ->check(CLI::IsMember({"large", "small"}));
  app.add_option("--tuning", selection.tuning_file,
                 "File of choices for r30, as ./study tune writes it");
  add_list(app, "--peak-gbs", selection.peaks, read_peak,
           "Theoretical peak in GB/s where it cannot be found out; or BACKEND:GBS");
}

/// The sweeps, for --help.
std::string standard_sweeps_text() {
  std::string text =
      "Sweeps. Each sets what is not given, and the scope to kernel on backends that have it:";
  for (const auto& sweep : standard_sweeps()) {
    text.append("\n  ").append(sweep.name).append(8 - sweep.name.size(), ' ').append(sweep.says);
    text += "\n         ";
    for (const auto& [option, list] : sweep.sets)
      text.append(" ").append(option).append("=").append(list);
  }
  return text;
}

/// Gives the options that are not given what the sweeps set: the union of what they say, and all
/// rungs where one of them is over all.
void apply_sweeps(CLI::App& app, const std::vector<const StandardSweep*>& sweeps) {
  std::map<std::string, std::vector<std::string>> lists;
  bool all_rungs = false;
  for (const auto* sweep : sweeps) {
    bool has_rungs = false;
    for (const auto& [name, list] : sweep->sets) {
      const std::string option(name);
      has_rungs |= option == "--rungs";
      if (app.get_option(option)->count() == 0) lists[option].emplace_back(list);
    }
    all_rungs |= !has_rungs;
  }
  if (all_rungs) lists.erase("--rungs");
  for (const auto& [option, list] : lists) app.get_option(option)->add_result(list)->run_callback();
}

/// The flags of Google Benchmark: most are its own, some would break the measuring.
void take_benchmark_flags(Selection& selection, const std::vector<std::string>& flags) {
  for (const auto& flag : flags) {
    const auto name = flag.substr(0, flag.find('='));
    if (name == "--benchmark_repetitions" || name == "--benchmark_min_time" ||
        name == "--benchmark_min_warmup_time")
      throw UsageError(flag + ": the harness decides how often a rung runs; use --samples=N");
    if (!flag.starts_with("--benchmark_") && name != "--v") {
      const auto* what = flag.starts_with("-") ? "unknown option" : "unexpected argument";
      throw UsageError(concat(flag, ": ", what, "; see --help"));
    }
    selection.benchmark_prints |= name == "--benchmark_format";
    selection.benchmark.push_back(flag);
  }
}

/// An empty value would make CLI11 take the option that follows for it.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i], before = argv[i - 1];
    if (argument.empty())
      throw UsageError(concat(i > 1 ? before : "ladder", ": its value is empty"));
    if (argument.starts_with("--") && argument.find('=') + 1 == argument.size())
      throw UsageError(concat(argument, ": its value is empty"));
  }
}

/// What no single option can say.
void check_together(const Selection& selection) {
  const bool one_process = selection.profile || selection.energy || !selection.benchmark.empty();
  if (selection.processes > 1 && one_process) {
    const auto with = selection.profile  ? "--profile"
                      : selection.energy ? "--energy"
                                         : selection.benchmark.front();
    throw UsageError(concat("--processes: not with ", with, ", which is about one process"));
  }
  if (selection.energy && !selection.benchmark.empty())
    throw UsageError(concat("--energy: not with ", selection.benchmark.front(),
                            ": Google Benchmark measures times alone"));
}

}  // namespace

std::optional<Selection> parse_command_line(int argc, const char* const* argv) {
  refuse_empty_values(argc, argv);
  Selection selection;
  selection.command.assign(argv, argv + argc);
  CLI::App app{
      "Measures the reduction ladder: every selected rung on every backend of this build, each "
      "result checked.\n\n"
      "  ladder --rungs=r04,r11..r16,lib --sizes=2^20..2^28    some rungs and the libraries, over "
      "sizes\n"
      "  ladder --types=f64 --ops=sum,max --cache=both         other problems, cold and hot\n"
      "  ladder --processes=5 --records=mine.jsonl             five fresh processes, every sample "
      "kept\n"
      "  ladder --sweep=block --dry-run                        a standard sweep, planned only\n\n"
      "Without options: float sums at one size beyond the caches. --benchmark_filter, _format, "
      "_out and the\n"
      "rest of Google Benchmark's flags work too. Exit status: 0 all measured and right, 1 "
      "something was wrong\n"
      "or failed, 2 it could not be run as asked, 3 the device was lost: --resume goes on behind "
      "it."};
  app.name("ladder");
  app.footer(standard_sweeps_text());
  app.allow_extras();
  app.set_version_flag("--version", concat(build_info().version, " (", build_info().commit, ")"));
  auto* list =
      app.add_flag("--list", selection.list, "List backends and rungs, and measure nothing");
  app.add_option("--format", selection.list_format, "Of --list: table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->needs(list);
  app.add_flag("--dry-run", selection.dry_run, "Print the plan: measurements, time, memory");
  std::vector<const StandardSweep*> sweeps;
  add_list(app, "--sweep", sweeps,
           one_of(standard_sweeps(), [](const StandardSweep& sweep) { return &sweep; }),
           "Standard sweeps, of the names below");
  add_selection(app, selection);
  add_data(app, selection);
  add_measuring(app, selection);
  add_device(app, selection);
  app.add_option("--benchmark_filter", selection.filter)->group("");
  app.add_flag("--benchmark_list_tests", selection.list_tests)->group("");

  try {
    app.parse(argc, argv);
    const auto given = [&app](const char* option) { return app.get_option(option)->count() > 0; };
    selection.places_given = given("--place");
    selection.profile_evicts = given("--cache") && selection.caches == std::vector{Cache::cold};
    if (!sweeps.empty()) {
      selection.rungs_may_lack = !given("--rungs");
      if (!given("--scope")) selection.scopes.clear();
      apply_sweeps(app, sweeps);
    }
  } catch (const CLI::Success& success) {
    app.exit(success);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const std::string words = error.what();  // "--seed: At Most 1 required but received 2"
    const bool twice = words.find(" required but received ") != std::string::npos;
    throw UsageError(twice ? concat(words.substr(0, words.find(':')), ": given more than once")
                           : words);
  }
  std::erase_if(selection.tuning, [](const auto& axis) { return axis.second.empty(); });
  if (selection.filter == "all") selection.filter.clear();  // as Google Benchmark has it
  take_benchmark_flags(selection, app.remaining());
  check_together(selection);
  if (selection.energy) {
    selection.caches = {Cache::hot};
    selection.scopes = {Scope::host};
    if (selection.rungs.empty()) {
      selection.rungs = {"r04", "r16", "r30", "lib"};
      selection.rungs_may_lack = true;
    }
  }
  return selection;
}

}  // namespace ladder::bench
