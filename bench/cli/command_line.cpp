#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <sstream>

#include "bench/cli/selection.hpp"
#include "bench/cli/typed_options.hpp"
#include "bench/text.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

/// A named selection: sets the options that the user did not give. Without --rungs it covers all.
struct StandardSweep {
  std::string_view name, says, options;
};

constexpr std::array standard_sweeps{
    StandardSweep{"block", "threads per block, from the first tree to warp shuffles",
                  "--rungs=r02..r12 --block=32..1024"},
    StandardSweep{"items", "elements per thread by threads per block, for coarsened rungs",
                  "--rungs=r07,r08 --block=32..1024 --items=4..512"},
    StandardSweep{"grid", "blocks per SM by threads per block, for fixed grids",
                  "--rungs=r11,r15 --block=32..1024 --grid=1x..64x"},
    StandardSweep{"n", "elements, from where launching is all to where bandwidth is",
                  "--sizes=2^4..2^30"},
    StandardSweep{"types", "integers and floating point, narrow and wide",
                  "--types=i8,i32,i64,f16,bf16,f32,f64"},
    StandardSweep{"ops", "the operations that every published rung carries", "--ops=sum,min,max"},
};

std::vector<GivenPeak> read_peak(const std::string& text) {
  const auto colon = text.rfind(':');
  const bool named = colon != std::string::npos;
  using Limits = std::numeric_limits<double>;
  const auto gbs =
      number(std::string_view(text).substr(named ? colon + 1 : 0), Limits::min(), Limits::max());
  if (!gbs) throw UsageError("expected a number above zero");
  return {{named ? text.substr(0, colon) : "", *gbs}};
}

/// Help text of an axis, including its range of values.
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
  add_list(
      app, "--cache", selection.caches,
      one_of(Choices<Cache>{
          {"cold", {Cache::cold}}, {"hot", {Cache::hot}}, {"both", {Cache::cold, Cache::hot}}}),
      "cold, hot or both: default cold");
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

/// Adds Google Benchmark's flags. Its report cannot represent the options in `others`.
void add_benchmark(CLI::App& app, Selection& selection, const std::vector<CLI::Option*>& others) {
  const std::string group = "Google Benchmark";
  app.add_option("--benchmark_filter", selection.filter,
                 "Measure what this expression matches; after a '-', all else")
      ->group(group);
  app.add_flag("--benchmark_list_tests", selection.list_tests, "Print the measurements' names")
      ->group(group);
  auto* out = app.add_option("--benchmark_out", selection.benchmark_out,
                             "File for the library's own report, in JSON")
                  ->group(group);
  for (auto* other : others) out->excludes(other);
}

void add_measuring(CLI::App& app, Selection& selection) {
  const auto read_samples = [](const std::string& text) {
    constexpr unsigned most = 1'000'000;  // Google Benchmark keeps a record of each
    const unsigned samples = read_count(text);
    if (samples > most) throw UsageError(concat("expected at most ", most));
    return samples;
  };
  auto* samples = add_value(app, "--samples", selection.samples, read_samples,
                            "Of each measurement: default by time budget");
  auto* processes =
      add_value(app, "--processes", selection.processes, read_count,
                "Fresh ones, one after the other: default 1; 5 for an interval between them");
  auto* quick = app.add_flag("--quick", selection.quick, "A fifth of the time budget");
  app.add_flag("--no-ceilings", selection.no_ceilings,
               "Leave out the read-only sweep, and with it the percentages of the ceiling");
  auto* energy = app.add_flag("--energy", selection.energy,
                              "Measure energy in place of time: r04, r16, r30 and the "
                              "libraries on 4 GiB, unless others are named");
  auto* records = app.add_option("--records", selection.records,
                                 "Append every sample to this file, one JSON object per line");
  auto* resume = app.add_flag("--resume", selection.resume,
                              "Take only the samples that the records file lacks")
                     ->needs(records);
  add_value(app, "--watchdog", selection.watchdog, number_from(0.0, 86400.0),
            "Seconds that a run on a GPU may take: default 600; 0 for ever");
  auto* profile = app.add_flag("--profile", selection.profile,
                               "For profilers: one sample each, in order, nothing held, nothing "
                               "run before; hot unless --cache=cold is named")
                      ->excludes(records, samples);
  // Energy runs call rungs back to back in host scope, in rounds of fixed duration.
  energy->excludes(app.get_option("--cache"), app.get_option("--scope"), samples, quick, resume,
                   profile);
  processes->excludes(energy, profile);  // energy and profiles use a single process
  add_benchmark(app, selection, {energy, processes});
}

void add_device(CLI::App& app, Selection& selection) {
  add_list(
      app, "--device,--devices", selection.devices, read_devices,
      "Index of the GPU: default 0; 0,1 or 0..7, or all: for the rungs of several devices, m00 on");
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

/// Text about the standard sweeps for --help.
std::string standard_sweeps_text() {
  std::string text =
      "Sweeps. Each sets what is not given, and the scope to kernel on backends that have it:";
  for (const auto& [name, says, options] : standard_sweeps) {
    text.append("\n  ").append(name).append(8 - name.size(), ' ').append(says);
    text.append("\n          ").append(options);
  }
  return text;
}

/// Sets the options of the sweep that were not given.
void apply(CLI::App& app, const StandardSweep& sweep) {
  std::istringstream options{std::string(sweep.options)};
  for (std::string one; options >> one;) {
    const auto equals = one.find('=');
    auto* option = app.get_option(one.substr(0, equals));
    if (option->count() == 0) option->add_result(one.substr(equals + 1))->run_callback();
  }
}

/// CLI11 would take the next option as the value of an empty one.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i], before = argv[i - 1];
    constexpr auto none = std::string_view::npos;
    if (argument.find_first_not_of(',') == none)
      throw UsageError(concat(i > 1 ? before : "ladder", ": its value is empty"));
    const auto equals = argument.find('=');
    if (argument.starts_with("--") && equals != none &&
        argument.find_first_not_of(',', equals + 1) == none)
      throw UsageError(concat(argument, ": its value is empty"));
  }
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
      "Without options: float sums at one size beyond the caches.\n"
      "Exit status: 0 all measured and right, 1 something was wrong or failed, 2 it could not be "
      "run as\nasked, 3 the device was lost: --resume goes on behind it."};
  app.name("ladder");
  app.footer(standard_sweeps_text());
  app.set_version_flag("--version", concat(build_info().version, " (", build_info().commit, ")"));
  auto* list =
      app.add_flag("--list", selection.list, "List backends and rungs, and measure nothing");
  app.add_option("--format", selection.list_format, "Of --list: table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->needs(list);
  app.add_flag("--dry-run", selection.dry_run, "Print the plan: measurements, time, memory");
  const StandardSweep* sweep = nullptr;
  const auto read_sweep = [](const std::string& text) {
    return one_of(standard_sweeps, [](const StandardSweep& one) { return &one; })(text).front();
  };
  add_value(app, "--sweep", sweep, read_sweep, "A standard sweep, of the names below");
  add_selection(app, selection);
  add_data(app, selection);
  add_measuring(app, selection);
  add_device(app, selection);

  try {
    app.parse(argc, argv);
    const auto given = [&app](const char* option) { return app.get_option(option)->count() > 0; };
    if (selection.profile && !given("--cache")) selection.caches = {Cache::hot};
    if (sweep != nullptr) {
      selection.rungs_may_lack = !given("--rungs");
      if (!given("--scope")) selection.scopes.clear();
      apply(app, *sweep);
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
  const auto place = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  if (!selection.records.empty() && !selection.benchmark_out.empty() &&
      place(selection.records) == place(selection.benchmark_out))
    throw UsageError("--records and --benchmark_out: name two files");
  std::erase_if(selection.tuning, [](const auto& axis) { return axis.second.empty(); });
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
