// Samples and seconds of each measurement.

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/run/study.hpp"

namespace ladder::bench {

std::size_t samples_for(const Selection& selection, double cost, double seconds) {
  if (selection.profile) return 1;
  if (selection.samples) return *selection.samples;
  const double budget = selection.quick ? 0.1 : 0.5;
  const std::size_t least = seconds > 1 ? 3 : 5;
  // Cold times of some microseconds have two or three modes, a microsecond apart. Fewer samples
  // know too little of how often each is taken (docs/method.md).
  const std::size_t most = selection.quick ? 40 : 500;
  return std::clamp(static_cast<std::size_t>(budget / cost), least, most);
}

double estimated_seconds(const Selection& selection, const Plan& plan) {
  constexpr double overhead = 0.2e-3;  // of a sample, in seconds
  constexpr double usual_memory = 10;  // GB/s, where the peak is unknown
  double seconds = 0;
  std::set<std::tuple<const Device*, std::size_t, Cache>> swept;
  for (const auto& m : plan.measurements) {
    const double rate = 1e9 * plan.peak(m.device()).gbs.value_or(usual_memory);
    const double run = static_cast<double>(m.bytes()) / rate;
    const double before = m.cache == Cache::hot
                              ? hot_runs * run
                              : static_cast<double>(m.device().eviction().bytes) / rate;
    const double cost = overhead + before + run;
    const bool sweeps = swept.emplace(&m.device(), m.bytes(), m.cache).second &&
                        !selection.profile && !selection.no_ceilings;
    seconds += cost * static_cast<double>(samples_for(selection, cost, run)) *
               static_cast<double>(sweeps ? 1 + sweep_kept : 1);
  }
  return seconds;
}

}  // namespace ladder::bench
