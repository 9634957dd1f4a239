#pragma once

// The records file: one JSON object per line, flushed at once, so a kill loses at most the current
// sample. Each kind of record has one writer function. --resume and the table over several
// processes read a study's records.

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/results/results.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

/// A file open for appending lines, locked to a single writer.
class RecordsFile {
 public:
  /// Opens and locks `path`; with an empty path nothing is written. Throws `NotPossible` if it is
  /// not writable, holds other content than records, or is locked by another process.
  explicit RecordsFile(const std::string& path);
  ~RecordsFile();
  RecordsFile(const RecordsFile&) = delete;
  RecordsFile& operator=(const RecordsFile&) = delete;

  /// Appends the line at once. Throws `NotPossible`.
  void append(const std::string& line);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  bool torn_ = false;  ///< the last line is truncated
};

inline constexpr int records_schema = 2;

/// The value, or null if unknown.
template <class T>
Json known(const T& value, bool is_known) {
  return is_known ? Json(value) : Json(nullptr);
}
inline Json known(const std::string& text) { return known(text, !text.empty()); }
template <class T>
Json known(const std::optional<T>& value) {
  return known(value.value_or(T{}), value.has_value());
}

/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);

/// Fields that identify a sweep: device, bytes, cache state, and the input if specific to one.
Json describe(const Ceiling& ceiling);

/// All fields of a run's record except the process.
Json describe_run(const Selection& selection, const Plan& plan);

/// The command with directories removed from the program and file names, for the records.
std::vector<std::string> without_folders(const std::vector<std::string>& command);

class Records {
 public:
  /// Opens the file of --records; without one nothing is written. Like all writing functions,
  /// throws `NotPossible` as `RecordsFile` does.
  Records(const Selection& selection, const Plan& plan);

  void run(const Process& process);
  void conditions(std::string_view at, Device& device);
  /// Replaces the final conditions: the device was lost in `row`, or outside of any if null.
  void lost(const Device& device, const Row* row, const std::string& error);
  void measurement(const Row& row);
  void floor(const FloorTime& floor);
  void ceiling(const Ceiling& ceiling);
  /// Records the row's next sample if right; `failed_sample` if wrong or failed.
  void sample(const Row& row, double seconds, double ulps, const std::string& disturbed = "");
  /// Records a right sample that will be repeated because of a disturbance.
  void disturbed(const Row& row, double seconds, const std::string& what);
  void failed_sample(const Row& row, const std::string& error);
  void summary(const Results& results, const Row& row);
  void energy(const Row& row, const EnergyRound& round);

 private:
  void write(std::string_view kind, const Json& fields, const Json& more = Json::object());

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string run_;
  Json about_;  ///< see describe_run()
  RecordsFile file_;
};

/// Unique run id: UTC date, time and four random hex digits.
std::string new_run_id();

/// Right samples of a measurement recorded by a process.
struct Earlier {
  std::vector<double> seconds;
  double ulps = 0;                  ///< the largest error among them
  std::set<std::string> results{};  ///< distinct recorded results
};

/// Progress of a study, read from its records.
struct StudySoFar {
  struct Recorded {
    bool finished = false;
    std::map<std::string, Earlier> samples{};         ///< right samples, by measurement id
    std::map<std::string, std::string> failed{};      ///< errors of wrong or failed ones, by id
    std::map<std::string, OtherProcess> summaries{};  ///< by measurement id
    std::map<std::string, double> ceilings{};         ///< GB/s of each sweep
  };
  std::string group;                             ///< see `Process`; empty if no such study exists
  std::map<unsigned, Recorded> processes{};      ///< by index
  std::map<std::string, std::string> lost_in{};  ///< device-loss errors, by id
  std::string fingerprint{};  ///< build, machine, devices and models of the last process, as JSON
};

/// Reads the last study with this command from the file of --records, ignoring --resume and
/// --samples. Throws `NotPossible` if the file holds only studies with other commands.
StudySoFar study_so_far(const Selection& selection);

/// Like study_so_far(), for a process that continues the study; sets the group of a single process.
/// Throws `NotPossible` also if the fingerprint differs, with the difference.
StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process);

/// Adds the recorded results of the study's other processes to those of its last one.
void add_other_processes(Results& results, const Selection& selection, const Process& process);

}  // namespace ladder::bench
