#pragma once

// The records file: one JSON object per line, appended and flushed as it is known, so that a kill
// loses at most the sample under way. Each kind is written by one function, all of them here.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/records/records_file.hpp"
#include "bench/results/energy.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

inline constexpr int records_schema = 2;

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
  void energy(const EnergyRound& round);
  void skipped(const Skipped& skipped);

  /// What is kept where the run stops here, and how to go on, in a sentence.
  std::string kept() const;

 private:
  void write(std::string_view kind, const Json& fields);

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string run_;
  std::shared_ptr<const Json> about_;  ///< the fields of the run's record, but for its process
  bool energy_;
  RecordsFile file_;
  std::size_t samples_ = 0;  ///< written by this run
};

/// A date, a time and four digits at random: no two runs have the same.
std::string new_run_id();

}  // namespace ladder::bench
