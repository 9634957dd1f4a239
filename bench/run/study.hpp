#pragma once

// Executes a plan: preparation, then all samples interleaved; early termination (time limit, lost
// device) and the progress line. Ctrl-C and SIGTERM end the program at once: each sample is
// recorded when taken.

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/records/records.hpp"
#include "bench/results/results.hpp"

namespace ladder::bench {

/// Exit status for a lost device.
inline constexpr int lost_status = 3;

/// Limits the time of each GPU run and catches the abort of a run-time library. At most one
/// instance exists.
class TimeLimit {
 public:
  /// Called with the reason; must end the process. Runs on another thread during the run, or inside
  /// abort().
  using GiveUp = std::function<void(const std::string& why)>;

  /// `seconds`: limit per run; 0: none.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  void run(const std::function<void()>& body, GiveUp give_up);

 private:
  using Clock = std::chrono::steady_clock;
  friend void note_abort(int signal);
  void set(GiveUp give_up);
  void watch(const std::stop_token& stop);

  const std::chrono::duration<double> limit_;
  std::mutex mutex_;  ///< held while giving up, until the process has ended
  GiveUp give_up_;    ///< for the current run; empty: none
  Clock::time_point began_;
  std::jthread thread_;  ///< last member: destroyed before the others
};

/// A progress line with the remaining time, on terminals only.
class Progress {
 public:
  /// Prefixes the line with the process index if there are several.
  explicit Progress(const Process& process);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a preparation stage.
  void stage(const std::string& what);
  /// Announces samples that take `seconds` in total.
  void expect(double seconds);
  /// Reports a finished sample that was announced with `seconds`.
  void advance(double seconds, const std::string& what);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const std::string& line);
  std::string which_;
  bool terminal_;
  double expected_ = 0, done_ = 0;
  Clock::time_point begun_, shown_;
};

/// Makes the inputs, references and jobs of all planned measurements. `places` other than 0 seeds
/// their memory placement. With MPI only rank 0 computes references.
void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results, Ranks* ranks = nullptr);

/// Measures the measurement overheads of each device.
void measure_floors(Progress& progress, Results& results);

/// Number of sweep configurations interleaved with the rungs.
inline constexpr std::ptrdiff_t sweep_kept = 3;

/// Sweeps the read-only kernel once per device, byte count and cache state, and keeps its best
/// configurations.
void sweep_ceilings(const Selection& selection, Progress& progress, Results& results);

/// Number of samples for a run of `seconds`; `cost`: wall seconds per sample with preparation.
std::size_t samples_for(const Selection& selection, double cost, double seconds);

/// Approximate wall seconds for one process; 0 if the number of samples is fixed: their duration is
/// then unknown.
double estimated_seconds(const Selection& selection, const Plan& plan);
/// Wall seconds for one process with --energy.
double energy_seconds(const Plan& plan);

/// Passes flags to Google Benchmark. Throws `UsageError` if the file of --benchmark_out cannot be
/// written.
void initialize_benchmark(const Selection& selection);

/// Runs all registered benchmarks, randomly interleaved, and writes the library's report to `path`,
/// unless empty. Returns false if that could not be written in full.
bool run_benchmarks(const std::string& path);

/// Checks the fetched result of the row.
Verdict verdict_of(const Row& row);

class Study {
 public:
  /// `ranks`: the MPI ranks that execute the plan together; null: this process alone.
  Study(const Selection& selection, const Plan& plan, const Process& process, Records& records,
        Ranks* ranks)
      : selection_(selection),
        process_(process),
        results_(plan),
        records_(records),
        ranks_(ranks),
        progress_(process) {
    const auto on_gpu = [](const PlannedDevice& one) { return one.device->facts().kind == "gpu"; };
    if (!selection.profile && !selection.energy && std::ranges::any_of(plan.devices, on_gpu))
      limit_.emplace(selection.watchdog);
  }

  /// Makes the rows, and records the devices' conditions. Throws `NotPossible` or `UsageError`.
  void prepare();
  /// Takes all samples through Google Benchmark and records them and the summaries. Samples that
  /// this process took `before` count. Skips measurements that failed before or lost a device.
  /// Returns false if the file of --benchmark_out could not be written in full.
  bool run(StudySoFar before);
  /// Measures the energy of all rows in each round, in random order, and records each round at
  /// once. Throws `NotPossible` if an energy counter does not change.
  void measure_energy();
  /// If a device is lost, records that with the error `what` and ends the program.
  void end_where_lost(const std::string& what);

  Results& results() { return results_; }

 private:
  /// Broadcasts the decision of rank 0 and returns it on all ranks.
  bool agreed(bool again) { return ranks_ == nullptr ? again : ranks_->from_first(again) != 0; }
  /// Numbers each pilot run and sample identically on all ranks. A step returns an error, or an
  /// empty string.
  void number_steps();
  /// Runs a step on all ranks at once; called on rank 0. Returns the step's error there.
  std::string take(std::size_t step);
  /// On ranks other than 0: runs each step that rank 0 runs.
  void follow();

  void pilot(Row& row);
  /// Takes one sample of a row: times, checks and records it; repeats it if disturbed.
  void sample(Row& row);
  /// Takes one sample of a sweep. Returns an error, or an empty string.
  std::string sample(const Ceiling& ceiling, Ceiling::Candidate& candidate);
  /// Times a row's run on its guarded input; nullopt if it failed or was discarded too often.
  std::optional<double> timed(Row& row);
  /// Checks and records a sample and what disturbed it. Returns true if it must be repeated.
  bool keep(Row& row, double time, const std::string& disturbed, bool last);
  /// Registers a sampling step with Google Benchmark: one repetition per wanted sample, one
  /// iteration each.
  void schedule(const std::string& name, Sampled& one, std::size_t bytes);
  /// Calls `step` within the time limit. Returns the error if the device recovers from it. Ends the
  /// program if the device is lost, in `row` or, if null, outside of any row.
  std::string attempt(Device& device, const Row* row, const std::function<void()>& step);
  /// Like attempt(), with guards and planted elements in the row's input.
  std::string on_its_input(const Row& row, const std::function<void()>& step);
  void fail(Row& row, const std::string& what);
  /// Records the loss, prints it and how to resume, and exits with `lost_status`. Frees nothing: on
  /// a lost device that fails or blocks.
  [[noreturn]] void lose(const Device& device, const Row* row, const std::string& why);
  void end();

  const Selection& selection_;
  Process process_;
  Results results_;
  Records& records_;
  Ranks* ranks_;
  std::vector<std::function<std::string()>> steps_;
  bool scheduled_ = false;  ///< at least one sample is to be taken
  Progress progress_;
  std::optional<TimeLimit> limit_;  ///< for timed GPU runs
};

}  // namespace ladder::bench
