#pragma once

// A plan carried out: everything before the first counted sample, then all samples interleaved.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "bench/records/records.hpp"
#include "bench/records/study_so_far.hpp"
#include "bench/results/energy.hpp"
#include "bench/results/sampler.hpp"
#include "bench/run/google_benchmark.hpp"
#include "bench/run/progress.hpp"
#include "bench/run/supervision.hpp"

namespace ladder::bench {

/// Makes the inputs, the references and the jobs of all measurements of the plan. `places` other
/// than 0 seeds where they lie in memory.
void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results);

/// Times what measures nothing, on each device.
void measure_floors(Progress& progress, Results& results);

/// Number of the sweep's configurations that are interleaved with the rungs.
inline constexpr std::ptrdiff_t sweep_kept = 3;

/// Sweeps the read-only kernel once per device, byte count and cache state, and keeps its best
/// configurations.
void sweep_ceilings(const Selection& selection, Progress& progress, Results& results);

/// Number of samples of a run of `seconds`, of which each with all preparation takes `cost`.
std::size_t samples_for(const Selection& selection, double cost, double seconds);
/// Approximate wall time in seconds of all samples: of each measurement as many as above, at the
/// peak of its device.
double estimated_seconds(const Selection& selection, const Plan& plan);

/// What the row's fetched result is held to be.
Verdict verdict_of(const Row& row);

/// Measures the energy of all rows in each round, in an order that `seed` shuffles, and records
/// each round at once. Throws `NotPossible` if the counter of an idle device stands still.
std::vector<EnergyRound> measure_energy(const Results& results, std::uint64_t seed,
                                        Progress& progress, Records& records);
/// Approximate wall time of that in seconds.
double energy_seconds(const Plan& plan);

class Study {
 public:
  Study(const Selection& selection, const Plan& plan, const Process& process, Records& records)
      : selection_(selection),
        process_(process),
        results_(plan),
        records_(records),
        progress_(process) {}

  /// Everything before the first counted sample. Samples that this process took `before` count, and
  /// what other processes of the study have lost is not run again. Throws `NotPossible` or
  /// `UsageError`.
  void prepare(StudySoFar before);
  /// All samples, through Google Benchmark, then the summaries.
  void run();
  /// Adds what the study's other processes have recorded: the last process does so at its end.
  void add_other_processes();
  /// Where something went wrong because a device is lost: records that, and ends the program.
  void end_where_lost(const std::string& what);

  const Results& results() const { return results_; }

 private:
  /// Claims the devices, and records their conditions and whether another study measures on them.
  void claim();
  void pilot(const StudySoFar& before);
  /// One sample of a row: timed, checked, recorded; taken again where something disturbed it.
  void sample(Row& row);
  /// False where it was disturbed and, as it may be, is to be taken `again`.
  bool sample(Row& row, bool again);
  /// Times a row's run on its guarded input; nothing where it failed or was discarded too often.
  std::optional<double> timed(Row& row);
  Profile profile() const;
  void fail(Row& row, const std::string& what);
  /// Records all that is known, with the loss of the device in `row` or outside of any, and ends
  /// the program.
  [[noreturn]] void lose(const Device& device, Row* row, const std::string& why);
  /// While it lives, `row` or, with null, something else runs on the device.
  TimeLimit::Run limited(const Device& device, Row* row);
  /// One sample of a sweep.
  Repetition sweep(Ceiling& ceiling, Ceiling::Candidate& candidate);
  void register_rows();
  void register_ceilings();

  const Selection& selection_;
  Process process_;
  Results results_;
  Records& records_;
  Progress progress_;
  const Device* device_ = nullptr;  ///< of what is under way on one
  Row* row_ = nullptr;
  std::optional<TimeLimit> time_limit_;
};

}  // namespace ladder::bench
