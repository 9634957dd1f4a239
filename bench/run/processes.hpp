#pragma once

// --processes: this executable, started again for each process of a study.

#include "bench/cli/selection.hpp"
#include "bench/results/results.hpp"

namespace ladder::bench {

/// The process that `run_processes` started this one as; one of one where it did not.
Process this_process();

/// Starts this executable again for each process of the study that the records file lacks, with the
/// same command line; the last prints the table of all. Returns the exit status: the largest of
/// theirs, and at once where one could not be run as asked or was stopped.
int run_processes(const Selection& selection, char** argv);

}  // namespace ladder::bench
