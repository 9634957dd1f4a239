#pragma once

// What a records file already holds: of other processes of the same study.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/results/process.hpp"
#include "bench/results/results.hpp"

namespace ladder::bench {

/// How far a study has come in a file.
struct StudySoFar {
  std::string group;              ///< see `Process`; empty where there is no such study
  std::set<unsigned> finished;    ///< the indices of the processes that have come to their end
  std::set<unsigned> lost;        ///< of those that have lost a device, for which others make up
  std::set<std::string> lost_in;  ///< the ids of the measurements that cost them it
  /// Right samples of each process, by measurement id.
  std::map<unsigned, std::map<std::string, std::size_t>> taken{};

  /// How many samples of a measurement process `index` is to take, of `count` that each of the
  /// study's `processes` was to take: one that makes up for what others have lost takes what those
  /// and its predecessors have left over, but no fewer than tell a time.
  std::size_t wanted(const std::string& id, std::size_t count, unsigned index,
                     unsigned processes) const;
};

/// Of the last study with this command, but for --resume. Throws nothing: what cannot be read is
/// not there.
StudySoFar study_so_far(const std::string& path, const std::vector<std::string>& command);

/// Adds to the results what the other processes of the group have found, from their summaries and
/// ceilings: by measurement id, and by device, bytes and cache.
/// The last process calls it, after its own summaries.
void add_other_processes(Results& results, const std::string& path, const Process& process);

}  // namespace ladder::bench
