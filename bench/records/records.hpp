#pragma once

// The records file: one JSON object per line, appended and flushed as it is known, so that a kill
// loses at most the current sample. One function writes each kind, all of them here. --resume and
// the table over several processes read what a file holds of a study.

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

/// A file, open for appending: one line at a time, one writer at a time.
class RecordsFile {
 public:
  /// Opens `path` and locks it until the end. Without a path there is no file, and nothing is
  /// written. Throws `NotPossible` where it cannot be written, holds something else than records,
  /// or another process writes to it.
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
  bool torn_ = false;  ///< a kill has cut the last line short
};

inline constexpr int records_schema = 2;

/// A value, or null where it is not known.
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

/// The sweep: device, bytes, cache state, and the input where it is of one alone.
Json describe(const Ceiling& ceiling);

/// The fields of a run's record, but for its process.
Json describe_run(const Selection& selection, const Plan& plan);

/// A command as records have it: of the program and of files their names alone, without the folders
/// of whoever measures.
std::vector<std::string> without_folders(const std::vector<std::string>& command);

class Records {
 public:
  /// Opens the file of --records; without one nothing is written. Throws `NotPossible` as
  /// `RecordsFile` does, as does every function that writes.
  Records(const Selection& selection, const Plan& plan);

  void run(const Process& process);
  void conditions(std::string_view at, Device& device);
  /// In place of those at the end: the device was lost, in a row or, with null, outside of any.
  void lost(const Device& device, const Row* row, const std::string& error);
  void measurement(const Row& row);
  void floor(const FloorTime& floor);
  void ceiling(const Ceiling& ceiling);
  /// The next sample of the row: right, or wrong or failed with the reason.
  void sample(const Row& row, double seconds, double ulps, const std::string& disturbed = "");
  /// It is right, and is taken again.
  void disturbed(const Row& row, double seconds, const std::string& what);
  void failed_sample(const Row& row, const std::string& error);
  void summary(const Results& results, const Row& row);
  void energy(const Row& row, const EnergyRound& round);

 private:
  void write(std::string_view kind, const Json& fields, const Json& more = Json::object());

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string run_;
  Json about_;  ///< the fields of the run's record, but for its process
  RecordsFile file_;
};

/// A date, a time and four digits at random: no two runs have the same.
std::string new_run_id();

/// Right samples of a measurement that a process has recorded.
struct Earlier {
  std::vector<double> seconds;
  double ulps = 0;                  ///< the largest error among them
  std::set<std::string> results{};  ///< as far as they were recorded, each once
};

/// How far a study has come.
struct StudySoFar {
  struct Recorded {
    bool finished = false;
    std::map<std::string, Earlier> samples{};         ///< right ones, by measurement id
    std::map<std::string, std::string> failed{};      ///< error of each with a wrong or failed one
    std::map<std::string, OtherProcess> summaries{};  ///< by measurement id
    std::map<std::string, double> ceilings{};         ///< GB/s of each sweep
  };
  std::string group;                         ///< see `Process`; empty where there is no such study
  std::map<unsigned, Recorded> processes{};  ///< by index
  std::map<std::string, std::string> lost_in{};  ///< error of each measurement that lost a device
  std::string fingerprint{};  ///< build, machine, devices, models of its last process, as JSON
};

/// Reads the last study with this command from the file of --records; --resume and --samples may
/// differ. Throws `NotPossible` where the file holds studies with other commands only.
StudySoFar study_so_far(const Selection& selection);

/// The same for a process that is about to go on with it; one of one joins that study. Throws
/// `NotPossible` also where the fingerprint differs, with what does.
StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process);

/// Adds to the results of the study's last process what the others have recorded.
void add_other_processes(Results& results, const Selection& selection, const Process& process);

}  // namespace ladder::bench
