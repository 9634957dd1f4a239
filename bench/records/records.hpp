#pragma once

// The records file: one JSON object per line, appended and flushed as it is known, so that a kill
// loses at most the sample under way. Each kind is written by one function, all of them here.

#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/records/records_file.hpp"
#include "bench/results/process.hpp"
#include "bench/results/results.hpp"
#include "bench/run/energy.hpp"

namespace ladder::bench {

using Json = nlohmann::ordered_json;

inline constexpr int records_schema = 2;

/// A kind of record, and what it says.
struct RecordKind {
  std::string_view kind, says;
};

inline constexpr std::array record_kinds{
    RecordKind{
        "run",
        "schema, date, command, seed, commit, which process of how many (index, of, the group of "
        "processes, the seed of its places), what each part was built with, axes and types, the "
        "machine, devices and models with every fact's source"},
    RecordKind{
        "conditions",
        "a device's clocks, temperature, throttle reasons, load: at start and "
        "end, and how long the run took; or that it was lost, in which measurement, and why"},
    RecordKind{"measurement",
               "an id and what it stands for: backend, device, rung and what holds of it, type, "
               "operation, n, tuning, data, seed, place, scope, cache, evicted bytes, bytes, moved "
               "bytes, depth, launches, blocks, registers, shared bytes, blocks per SM, limiter"},
    RecordKind{"floor", "what measuring nothing costs: readings of the clock, the least launch"},
    RecordKind{"ceiling",
               "the best of a device's read-only sweep at one size and cache state, on a CPU "
               "on one input, too"},
    RecordKind{"sample",
               "measurement id, index, seconds, whether it is right, error in ulps or in "
               "words, where results are rounded the result itself, and what disturbed it where "
               "something did each time that it was taken"},
    RecordKind{"disturbed",
               "a sample that was right and is taken again, since something disturbed the device: "
               "measurement id, index, seconds, what it was"},
    RecordKind{"summary",
               "the mean of the middle half, its standard error, median, percentiles, count, "
               "wrong, failed, discarded, how many were disturbed and taken again and how many "
               "stayed so, the result or how many distinct ones, what "
               "follows, and of several devices held together the median and the largest skew of "
               "their release"},
    RecordKind{"energy",
               "a round of a measurement of --energy: what was measured, which round and its place "
               "in it, joules and seconds between two changes of the counter and how far off these "
               "may be, the calls and their seconds, idle watts, the counter's step and source, "
               "what follows, whether it is right"},
    RecordKind{"skipped", "what was asked for and not measured, and why"},
};

/// The right samples of a measurement that were taken before.
struct Earlier {
  std::vector<double> seconds;
  double ulps = 0;                  ///< the largest error among them
  std::set<std::string> results{};  ///< as far as they were recorded, each once
};

class Records {
 public:
  /// Without a path nothing is written. Throws `NotPossible` as `RecordsFile` does, as does every
  /// function that writes.
  explicit Records(const std::string& path);

  /// `about` is what `describe_run` says.
  void run(const Json& about, const Process& process);
  void conditions(std::string_view at, Device& device, const std::vector<Fact>& more = {});
  /// In place of those at the end: the device was lost, in a row or outside of any.
  void lost(const Device& device, const Row* row, const std::string& error);
  void measurement(const Row& row);
  void floor(const FloorTime& floor);
  void ceiling(const Ceiling& ceiling);
  /// The next sample of the row: right, or wrong or failed with the reason.
  void sample(const Row& row, double seconds, double ulps, const std::string& disturbed = "");
  /// It is right, and is taken again.
  void disturbed(const Row& row, double seconds, const std::string& what);
  void failed_sample(const Row& row, const std::string& error, bool lost = false);
  void summary(const Results& results, const Row& row);
  void energy(const EnergyRound& round);
  void skipped(const Skipped& skipped);

  /// What the file already holds of this process, by measurement id. Throws `NotPossible` where its
  /// samples must not be mixed with those of `run` (see `describe_run`): another schema, commit,
  /// build, seed, data file, machine, device, driver or library, or a sample that was wrong or
  /// failed, or has no time that can be. A process without a group gets that of the samples.
  std::map<std::string, Earlier> earlier(const Json& run, Process& process) const;

  /// What is kept where the run stops here, and how to go on, in a sentence.
  std::string kept() const;

 private:
  void write(std::string_view kind, const Json& fields);

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string run_;
  RecordsFile file_;
  std::size_t samples_ = 0;  ///< written by this run
};

/// A date, a time and four digits at random: no two runs have the same.
std::string new_run_id();
/// Of a run's record.
Process process_of(const Json& run);
/// The fields of a run's record, but for its process.
Json describe_run(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
