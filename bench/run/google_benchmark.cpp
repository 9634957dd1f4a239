#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <benchmark/benchmark.h>

#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

void initialize_benchmark(const Selection& selection) {
  const auto& path = selection.benchmark_out;
  if (!path.empty() && !std::ofstream(path, std::ios::app))
    throw UsageError(
        concat("--benchmark_out=", path, ": cannot be written: ", std::strerror(errno)));
  // The library keeps a pointer to the first.
  static std::string program = "ladder", in_random_order = "--benchmark_enable_random_interleaving";
  std::array arguments{program.data(), in_random_order.data()};
  int count = selection.profile ? 1 : 2;
  benchmark::Initialize(&count, arguments.data());
}

void Study::schedule(const std::string& name, Sampled& one, std::size_t bytes) {
  if (one.wanted == 0) return;
  scheduled_ = true;
  progress_.expect(one.cost * static_cast<double>(one.wanted));
  const auto repetition = [this, name, &one, bytes](benchmark::State& state) {
    for (auto _ : state) {
      const auto before = one.seconds.size();
      const auto error = take(one.step);
      progress_.advance(one.cost, name);
      if (one.seconds.size() == before) {
        state.SkipWithError(error.c_str());
        break;
      }
      state.SetIterationTime(one.seconds.back());
      state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), repetition)
      ->Iterations(1)
      ->Repetitions(static_cast<int>(one.wanted))
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

bool run_benchmarks(const std::string& path) {
  if (path.empty()) {
    Silent silent;
    benchmark::RunSpecifiedBenchmarks(&silent, nullptr, ".");
    return true;
  }
  std::ofstream file(path);
  benchmark::JSONReporter report;
  report.SetOutputStream(&file);
  benchmark::RunSpecifiedBenchmarks(&report, nullptr, ".");
  return file.flush().good();
}

}  // namespace ladder::bench
