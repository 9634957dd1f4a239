#pragma once

// What a row's samples mean beside the peak, the ceiling and the other rows. Where the study has
// several processes, ratios are formed in each of them.

#include <optional>
#include <string>

#include "bench/results/results.hpp"

namespace ladder::bench {

/// How many times as fast a row is as another.
struct Speedup {
  std::string versus;  ///< the other's rung
  double factor = 0;
  double uncertainty = 0;  ///< relative
};

struct Derived {
  Estimate time;                  ///< seconds
  double gbs = 0;                 ///< effective: each element once
  std::optional<double> of_peak;  ///< a part, not percent; nothing where the peak is unknown
  std::optional<double> of_ceiling;
  double ceiling_uncertainty = 0;  ///< of `of_ceiling`, relative
  std::optional<Speedup>
      step;  ///< against the nearest ancestor in the base chain that was measured
  std::optional<Speedup> cumulative;  ///< against the ladder's first tree, r02, or the CPU's c00
};

/// Of a row with right results. One that takes less than twice an empty call is compared with
/// nothing. Other rows count only where they differ in nothing but the rung and
/// its tuning.
Derived derive(const Results& results, const Row& row);

/// Whether a right result came faster than the ceiling allows, by more than 1 %, at a size where no
/// cache explains it.
bool above_ceiling(const Results& results, const Row& row);

}  // namespace ladder::bench
