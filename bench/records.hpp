#pragma once

// The records file: one JSON object a line, appended and flushed as it is known, so that a kill
// loses at most the sample under way. docs/method.md names the fields.

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

class Records {
 public:
  /// Without a path nothing is written. Opens for appending; throws `NotPossible` where that cannot
  /// be.
  explicit Records(const std::string& path);

  const std::string& run() const { return run_; }
  /// Appends one line; `kind` and the run's id are put in front. Throws `NotPossible` where it
  /// cannot be written.
  void write(std::string_view kind, const Json& fields);

  /// Correct samples that the file already holds, in seconds by measurement id. Throws
  /// `NotPossible` where the file was made on other devices than `devices`: their samples must not
  /// be mixed.
  static std::map<std::string, std::vector<double>> earlier(
      const std::string& path, const std::vector<std::string>& devices);

 private:
  std::string path_, run_;
  std::ofstream file_;
};

/// What the `run` record says: build, command, machine, devices and where their facts come from.
Json describe_run(const Selection& selection, const Plan& plan);
/// What the `measurement` record says.
Json describe(const Measurement& measurement, const Footprint& footprint, std::uint64_t seed);
/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);
/// The devices of a plan as the records name them.
std::vector<std::string> device_names(const Plan& plan);

}  // namespace ladder::bench
