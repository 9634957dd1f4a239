#pragma once

// What a file of records holds of a study: for --resume, and for the table over several processes.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/results/process.hpp"
#include "bench/results/results.hpp"

namespace ladder::bench {

/// Right samples of a measurement that a process has recorded.
struct Earlier {
  std::vector<double> seconds;
  double ulps = 0;                  ///< the largest error among them
  std::set<std::string> results{};  ///< as far as they were recorded, each once
};

/// How far a study has come. Processes go by their index.
struct StudySoFar {
  std::string group;              ///< see `Process`; empty where there is no such study
  std::set<unsigned> finished;    ///< came to their end
  std::set<unsigned> lost;        ///< lost a device; another process makes up for each
  std::set<unsigned> wrong;       ///< have a wrong or failed sample
  std::set<std::string> lost_in;  ///< ids of the measurements that lost a device
  std::map<unsigned, std::map<std::string, Earlier>> samples{};  ///< by measurement id
  /// Build, machine, devices and models that its last process ran on: path and value of each fact.
  std::map<std::string, std::string> fingerprint{};

  /// How many samples of a measurement process `index` is to take, of `count` that each of the
  /// study's `processes` was to take. One that makes up for others takes what those and its
  /// predecessors have left over, but no fewer than a time needs.
  std::size_t wanted(const std::string& id, std::size_t count, unsigned index,
                     unsigned processes) const;
};

/// Reads the last study with this command from the file of --records; --resume and --samples may
/// differ. Throws `NotPossible` where the file holds studies with other commands only, another
/// schema, a line that cannot be read, or a time that cannot be.
StudySoFar study_so_far(const Selection& selection);

/// The same for a process that is about to go on with it; one of one becomes a process of that
/// study. Throws `NotPossible` also where the fingerprint differs, with what does, and where a
/// sample of this process was wrong or failed.
StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process);

/// Adds to the results of the study's last process what the others have recorded, from their
/// summaries and ceilings: by measurement id, and by device, bytes, cache and input.
void add_other_processes(Results& results, const std::string& path, const Process& process);

}  // namespace ladder::bench
