#pragma once

// What a records file already holds: of other processes of the same study.

#include <set>
#include <string>
#include <vector>

#include "bench/run/process.hpp"
#include "bench/run/results.hpp"

namespace ladder::bench {

/// How far a study has come in a file.
struct StudySoFar {
  std::string group;            ///< see `Process`; empty where there is no such study
  std::set<unsigned> finished;  ///< the indices of the processes that have come to their end
};

/// Of the last study with this command, but for --resume. Throws nothing: what cannot be read is
/// not there.
StudySoFar study_so_far(const std::string& path, const std::vector<std::string>& command);

/// Adds to the results what the other processes of the group have found, from their summaries and
/// ceilings: by measurement id, and by device, bytes and cache.
/// The last process calls it, after its own summaries.
void add_other_processes(Results& results, const std::string& path, const Process& process);

}  // namespace ladder::bench
