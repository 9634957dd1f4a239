#pragma once

// A plan carried out: everything before the first counted sample, then all samples interleaved.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "bench/records/progress.hpp"
#include "bench/records/records.hpp"
#include "bench/records/study_so_far.hpp"
#include "bench/results/results.hpp"
#include "bench/results/sampler.hpp"
#include "bench/run/claim.hpp"
#include "bench/run/watchdog.hpp"

namespace ladder::bench {

/// Makes the inputs, the references and the jobs of all measurements of the plan. `places` other
/// than 0 seeds where they lie in memory.
void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results);

/// Times what measures nothing, on each device.
void measure_floors(Progress& progress, Results& results);

/// Of the sweep's configurations: those that come into the closer choice, and those of them that
/// are interleaved with the rungs.
inline constexpr std::ptrdiff_t sweep_second = 8, sweep_kept = 3;

/// Sweeps the read-only kernel once per device, byte count and cache state, and keeps its best
/// configurations.
void sweep_ceilings(const Selection& selection, Progress& progress, Results& results);

/// How many samples are wanted of something that takes `seconds`, and `cost` with all that goes
/// with one sample.
std::size_t samples_for(const Selection& selection, double cost, double seconds);

/// What the row's fetched result is held to be.
Verdict verdict_of(const Row& row);

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
  /// Records the conditions of all devices, and says where another study measures on one too.
  void note_conditions(std::string_view at);
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
  Watchdog::Watch watch(const Device& device, Row* row);
  void register_rows();
  void register_ceilings();

  const Selection& selection_;
  Process process_;
  Results results_;
  Records& records_;
  Progress progress_;
  std::map<std::string, Claim> claims_;  ///< by the devices' own ids
  const Device* device_ = nullptr;       ///< of what is under way on one
  Row* row_ = nullptr;
  std::optional<Watchdog> watchdog_;
};

}  // namespace ladder::bench
