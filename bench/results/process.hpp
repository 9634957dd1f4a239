#pragma once

// A study of several processes: fresh ones, one after the other, each with the same measurements.
// What a process finds depends on where its memory and its code came to lie, so that the samples of
// one say nothing of the next.

#include <cstdint>
#include <string>

#include "bench/cli/selection.hpp"

namespace ladder::bench {

/// Which of a study's processes this is.
struct Process {
  unsigned index = 1, of = 1;
  /// The run that began the study, the same for all of its processes; empty: this one's.
  std::string group;
  /// Seeds where the process puts its memory, and the order in which it loads its code; 0: as the
  /// runtime gives it.
  std::uint64_t places = 0;
};

/// As the process that started this one says, by an environment variable; one of one without.
Process this_process();

/// Starts this executable again for each process of the study that the records file lacks, with the
/// same command line; the last prints the table of all. Returns the exit status: the largest of
/// theirs, and at once where one could not be run as asked or was stopped.
int run_processes(const Selection& selection, char** argv);

}  // namespace ladder::bench
