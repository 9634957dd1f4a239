#pragma once

// Google Benchmark: its flags, its reporters with our names, and the one run of everything that was
// registered.

#include <functional>
#include <string>

#include "bench/cli/selection.hpp"

namespace ladder::bench {

/// Hands the library its flags. Throws `UsageError` for one that it does not know.
void initialize_benchmark(const Selection& selection);

/// What one repetition found out: seconds for its manual time, or an error.
struct Repetition {
  double seconds = 0;
  double bytes = 0;   ///< read by one run, for the rate that the library reports
  std::string error;  ///< not empty: there is no time
};

/// Registers a benchmark of `repetitions` repetitions with one iteration each. `body` times itself.
void register_benchmark(const std::string& name, std::size_t repetitions,
                        std::function<Repetition()> body);

/// Runs all, interleaved at random. Benchmarks whose names do not begin with "reduce/" are kept
/// from its reporters.
void run_benchmarks(const Selection& selection);

}  // namespace ladder::bench
