#pragma once

// A plan carried out: everything before the first counted sample, then all samples interleaved; how
// that ends early (a time limit, a lost device), and the line that tells how far it has come.
// Ctrl-C and SIGTERM end the program at once: each sample is in the records when it is taken.

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

/// Exit status after the loss of a device.
inline constexpr int lost_status = 3;

/// Prints `error` and how to go on, and exits with `lost_status`. Frees nothing: on a lost device
/// that fails or blocks.
[[noreturn]] void end_as_lost(const std::string& error);

/// Limits the time of each run on a GPU, and catches the abort of a run-time library. One at a
/// time.
class TimeLimit {
 public:
  /// Gets the reason and ends the process: on another thread while the run goes on, or inside
  /// abort().
  using GiveUp = std::function<void(const std::string& why)>;

  /// A run may take `seconds`; 0: no limit.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Calls `body` under the limit.
  void run(const std::function<void()>& body, GiveUp give_up);

 private:
  using Clock = std::chrono::steady_clock;
  friend void note_abort(int signal);
  void set(GiveUp give_up);
  void watch(const std::stop_token& stop);

  const std::chrono::duration<double> limit_;
  std::mutex mutex_;  ///< held by whoever gives up until the process has ended
  GiveUp give_up_;    ///< of the run under way; empty: there is none
  Clock::time_point began_;
  std::jthread thread_;  ///< destroyed before what it uses
};

/// One line about what is going on and how long it will take, on a terminal only.
class Progress {
 public:
  /// Names the process if there are several.
  explicit Progress(const Process& process);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows what is done before the samples.
  void stage(const std::string& what);
  /// Samples that are expected to cost so many seconds together will follow.
  void expect(double seconds);
  /// A sample that was expected to cost `seconds` is done.
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

/// Makes the inputs, the references and the jobs of all measurements of the plan. `places` other
/// than 0 seeds where they lie in memory. Of several ranks the first alone finds the references.
void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results, Ranks* ranks = nullptr);

/// Times what measures nothing, on each device.
void measure_floors(Progress& progress, Results& results);

/// Number of the sweep's configurations that are interleaved with the rungs.
inline constexpr std::ptrdiff_t sweep_kept = 3;

/// Sweeps the read-only kernel once per device, byte count and cache state, and keeps its best
/// configurations.
void sweep_ceilings(const Selection& selection, Progress& progress, Results& results);

/// Number of samples of a run of `seconds`, of which each with all preparation takes `cost`.
std::size_t samples_for(const Selection& selection, double cost, double seconds);

/// Approximate wall time in seconds of a process of the plan; 0 where the number of samples is
/// given, and nothing tells how long they take.
double estimated_seconds(const Selection& selection, const Plan& plan);
/// The same of --energy.
double energy_seconds(const Plan& plan);

/// Hands Google Benchmark its flags. Throws `UsageError` if its file cannot be written.
void initialize_benchmark(const Selection& selection);

/// Runs all, interleaved at random.
void run_benchmarks();

/// Checks the row's fetched result.
Verdict verdict_of(const Row& row);

class Study {
 public:
  /// `ranks`: those that carry the plan out together; null for this process alone.
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
  /// Takes all samples, through Google Benchmark, and records them and the summaries. Samples that
  /// this process took `before` count. What failed then, or lost the study a device, is not run
  /// again.
  void run(StudySoFar before);
  /// Measures the energy of all rows in each round, in a random order, and records each round at
  /// once. Throws `NotPossible` if the counter of an idle device stands still.
  void measure_energy();
  /// If a device is lost, of which `what` is the error: records that, and ends the program.
  void end_where_lost(const std::string& what);

  Results& results() { return results_; }

 private:
  /// What the first rank has decided, on all ranks.
  bool agreed(bool again) { return ranks_ == nullptr ? again : ranks_->from_first(again) != 0; }
  /// Gives each pilot run and each sample a number that it has on all ranks. A step returns an
  /// error or nothing.
  void number_steps();
  /// Takes a step on all ranks at once. Returns its error on the first.
  std::string take(std::size_t step);
  /// On the other ranks: takes each step that the first one takes.
  void follow();

  void pilot(Row& row);
  /// One sample of a row: timed, checked, recorded; taken again where something disturbed it.
  void sample(Row& row);
  /// One sample of a sweep. Returns why there is none.
  std::string sample(const Ceiling& ceiling, Ceiling::Candidate& candidate);
  /// Times a row's run on its guarded input; nothing where it failed or was discarded too often.
  std::optional<double> timed(Row& row);
  /// Checks and records a sample. Returns whether it is to be taken once more.
  bool keep(Row& row, double time, bool last);
  /// Registers the step that takes one sample with Google Benchmark: so many repetitions, one
  /// iteration each.
  void schedule(const std::string& name, Sampled& one, std::size_t bytes);
  /// Calls `step` within the time limit. Returns the error, from which the device has recovered;
  /// ends the program where it is lost, in `row` or, with null, outside of any.
  std::string attempt(Device& device, const Row* row, const std::function<void()>& step);
  /// The same while the row's input has its guards and its deciding element.
  std::string on_its_input(const Row& row, const std::function<void()>& step);
  void fail(Row& row, const std::string& what);
  [[noreturn]] void lose(const Device& device, const Row* row, const std::string& why);
  void end();

  const Selection& selection_;
  Process process_;
  Results results_;
  Records& records_;
  Ranks* ranks_;
  std::vector<std::function<std::string()>> steps_;
  Progress progress_;
  std::optional<TimeLimit> limit_;  ///< of runs on a GPU that are timed
};

}  // namespace ladder::bench
