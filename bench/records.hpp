#pragma once

// The records file: one JSON object a line, appended and flushed as it is known, so that a kill
// loses at most the sample under way. docs/method.md names the fields.

#include <chrono>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/plan.hpp"

namespace ladder::bench {

using Json = nlohmann::ordered_json;

inline constexpr int records_schema = 1;

/// The right samples of a measurement that were taken before.
struct Earlier {
  std::vector<double> seconds;
  double ulps = 0;  ///< the largest error among them
};

class Records {
 public:
  /// Without a path nothing is written. Opens for appending; throws `NotPossible` where that cannot
  /// be.
  explicit Records(const std::string& path);

  const std::string& run() const { return run_; }
  /// Seconds since the run began.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  /// Appends one line; `kind` and the run's id are put in front. Throws `NotPossible` where it
  /// cannot be written.
  void write(std::string_view kind, const Json& fields);

  /// What the file already holds, by measurement id. Throws `NotPossible` where its samples must
  /// not be mixed with those of `run` (see `describe_run`): another build, device, seed or data
  /// file, or a sample that was wrong or failed.
  static std::map<std::string, Earlier> earlier(const std::string& path, const Json& run);

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string path_, run_;
  std::ofstream file_;
};

/// What the `run` record says: build, command, machine, devices and where their facts come from.
Json describe_run(const Selection& selection, const Plan& plan);
/// What the `measurement` record says.
Json describe(const Measurement& measurement, const Footprint& footprint, std::uint64_t seed);
/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);
}  // namespace ladder::bench
