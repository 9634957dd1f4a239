#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include <benchmark/benchmark.h>

#include "bench/run/study.hpp"

namespace ladder::bench {
namespace {

/// A reporter of the library that sees our benchmarks under our names: the suffixes that the
/// library appends hold the number of repetitions, which differs from run to run, and would keep
/// its compare tool from finding the pairs.
template <class Base>
class Named : public Base {
 public:
  using Base::Base;
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& runs) override {
    std::vector<benchmark::BenchmarkReporter::Run> ours;
    for (auto run : runs) {
      if (!run.run_name.function_name.starts_with("reduce/")) continue;
      run.run_name.iterations.clear();
      run.run_name.repetitions.clear();
      run.run_name.time_type.clear();
      ours.push_back(std::move(run));
    }
    if (!ours.empty()) Base::ReportRuns(ours);
  }
};

class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// The value of a flag that the library keeps to itself.
std::string value_of(const Selection& selection, const std::string& flag,
                     const std::string& otherwise) {
  std::string value = otherwise;
  for (const auto& given : selection.benchmark) {
    if (given.starts_with(flag + "=")) value = given.substr(flag.size() + 1);
  }
  return value;
}

/// The reporter of the format that a flag names.
std::unique_ptr<benchmark::BenchmarkReporter> reporter(const Selection& selection,
                                                       const std::string& flag,
                                                       const std::string& otherwise) {
  const auto format = value_of(selection, flag, otherwise);
  if (format == "console") return std::make_unique<Named<benchmark::ConsoleReporter>>();
  if (format == "json") return std::make_unique<Named<benchmark::JSONReporter>>();
  if (format == "csv") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return std::make_unique<Named<benchmark::CSVReporter>>();
#pragma GCC diagnostic pop
  }
  throw UsageError(flag + "=" + format + ": choose from console, json, csv");
}

/// For the standard output, and for the file, null where none is asked for.
std::pair<std::unique_ptr<benchmark::BenchmarkReporter>,
          std::unique_ptr<benchmark::BenchmarkReporter>>
reporters(const Selection& selection) {
  std::unique_ptr<benchmark::BenchmarkReporter> display = std::make_unique<Silent>(), file;
  if (selection.benchmark_prints) display = reporter(selection, "--benchmark_format", "console");
  if (!value_of(selection, "--benchmark_out", "").empty())
    file = reporter(selection, "--benchmark_out_format", "json");
  return {std::move(display), std::move(file)};
}

}  // namespace

void initialize_benchmark(const Selection& selection) {
  reporters(selection);  // a wrong format is told before anything is measured
  // The library opens its file when all is set up, and ends the program where it cannot.
  if (const auto path = value_of(selection, "--benchmark_out", "");
      !path.empty() && !std::ofstream(path, std::ios::app))
    throw UsageError("--benchmark_out=" + path + ": cannot be written: " + std::strerror(errno));
  static std::vector<std::string> flags;  // the library keeps pointers into these
  flags = {"ladder"};
  const bool shuffled = value_of(selection, "--benchmark_enable_random_interleaving", "").empty();
  if (shuffled && !selection.profile)
    flags.emplace_back("--benchmark_enable_random_interleaving=true");
  flags.insert(flags.end(), selection.benchmark.begin(), selection.benchmark.end());
  static std::vector<char*> arguments;
  arguments.clear();
  for (auto& flag : flags) arguments.push_back(flag.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(flags.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1)
    throw UsageError(std::string(arguments[1]) + ": Google Benchmark does not know this flag");
}

void register_benchmark(const std::string& name, std::size_t repetitions,
                        std::function<Repetition()> body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body = std::move(body)](benchmark::State& state) {
                                 for (auto _ : state) {
                                   const Repetition done = body();
                                   if (!done.error.empty()) {
                                     state.SkipWithError(done.error.c_str());
                                     break;
                                   }
                                   state.SetIterationTime(done.seconds);
                                   state.SetBytesProcessed(static_cast<std::int64_t>(done.bytes));
                                 }
                               })
      ->Iterations(1)
      ->Repetitions(static_cast<int>(repetitions))
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void run_benchmarks(const Selection& selection) {
  const auto [display, file] = reporters(selection);
  benchmark::RunSpecifiedBenchmarks(display.get(), file.get(), ".");
}

}  // namespace ladder::bench
