#pragma once

// What a file of records holds of a study: for --resume, and for the table over several processes.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/results/results.hpp"

namespace ladder::bench {

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
    bool wrong = false;                               ///< has a wrong or failed sample
    std::map<std::string, Earlier> samples{};         ///< by measurement id
    std::map<std::string, OtherProcess> summaries{};  ///< by measurement id
    std::map<std::string, double> ceilings{};         ///< GB/s of each sweep
  };
  std::string group;                         ///< see `Process`; empty where there is no such study
  std::map<unsigned, Recorded> processes{};  ///< by index
  std::map<std::string, std::string> lost_in{};  ///< error of each measurement that lost a device
  /// Build, machine, devices and models that its last process ran on: path and value of each fact.
  std::map<std::string, std::string> fingerprint{};
};

/// Reads the last study with this command from the file of --records; --resume and --samples may
/// differ. Throws `NotPossible` where the file holds studies with other commands only, another
/// schema, or a line that cannot be read.
StudySoFar study_so_far(const Selection& selection);

/// The same for a process that is about to go on with it; one of one joins that study. Throws
/// `NotPossible` also where the fingerprint differs, with what does, and where a sample of this
/// process was wrong or failed.
StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process);

/// Adds to the results of the study's last process what the others have recorded.
void add_other_processes(Results& results, const Selection& selection, const Process& process);

}  // namespace ladder::bench
