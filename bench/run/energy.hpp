#pragma once

// How much energy a rung takes: run back to back, apart from all timing, while a counter is
// watched. A counter changes at steps of its own, so each interval is measured from a change to a
// change.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/records/progress.hpp"
#include "bench/results/results.hpp"
#include "common/device/energy.hpp"

namespace ladder::bench {

inline constexpr unsigned energy_rounds = 3;
/// Seconds: of a round at the least, between two changes of the counter; of running before it;
/// of an idle interval at the least, and of standing idle before it.
inline constexpr double energy_least = 3, energy_warm_up = 0.5, idle_least = 2, idle_settling = 1;
/// Seconds from one waiting for the device to the next, and between two looks at the counter.
inline constexpr double energy_batch = 0.05, energy_pause = 0.5e-3;
/// Seconds without a change after which a counter counts as standing still.
inline constexpr double energy_patience = 10;

/// How a counter moves, on an idle device: medians of the times between its changes, and of these.
struct EnergyStep {
  double seconds = 0, joules = 0;
};

/// What was taken between two changes of a counter.
struct Energy {
  double joules = 0, seconds = 0;
  double slack = 0;  ///< seconds that the two changes together may lie beside where they were seen

  double watts() const { return joules / seconds; }
  /// Of the watts, as a part: no more than that is due to the counter's steps.
  double uncertainty() const { return slack / seconds; }
};

/// The interval from a change of the counter to another one, at least so long after it.
class EnergyInterval {
 public:
  EnergyInterval(EnergyCounter& counter, const EnergyStep& step, double least)
      : counter_(counter), step_(step), least_(least) {}

  /// Whether a change is waited for now: in between the counter is left alone.
  bool waiting() const;
  /// Reads the counter, which may take milliseconds. A change lies between the beginning of the
  /// last reading and the end of this one, and no further back than a step takes. Throws
  /// std::runtime_error where the counter stands still.
  void look();
  bool ended() const { return ended_; }
  /// Of an interval that has ended.
  const Energy& energy() const { return energy_; }

 private:
  struct Change {
    double seconds, joules, slack;
  };
  struct Reading {
    double from, to, joules;  ///< it was taken somewhen between the two
  };
  EnergyCounter& counter_;
  EnergyStep step_;
  double least_;
  std::optional<Change> begin_;
  std::optional<Reading> before_;  ///< the last reading of those that wait for a change
  std::optional<double> waits_from_;
  bool ended_ = false;
  Energy energy_;
};

/// Watches the counter of an idle device: at least five changes and two seconds. Throws
/// `NotPossible` where it stands still.
EnergyStep measure_step(EnergyCounter& counter);

/// The power of a device that is left alone.
Energy measure_idle(EnergyCounter& counter, const EnergyStep& step);

/// What is run back to back.
struct Load {
  std::function<void(std::size_t)> enqueue;  ///< so many calls
  std::function<void()> finish;              ///< waits for them, and looks at the last result
};

/// What was measured under a load.
struct LoadEnergy {
  Energy energy;
  std::size_t calls = 0;  ///< in `seconds`, from the first one's start until all had finished;
  double seconds = 0;     ///< `energy` lies within

  double calls_per_second() const { return static_cast<double>(calls) / seconds; }
};
LoadEnergy measure_load(EnergyCounter& counter, const EnergyStep& step, const Load& load);

/// One round of one measurement.
struct EnergyRound {
  const Row* row = nullptr;
  unsigned round = 1;     ///< from 1
  std::size_t place = 1;  ///< in the round's order, from 1
  std::string source;     ///< what counted
  EnergyStep step;
  Energy idle;
  LoadEnergy load;    ///< means nothing where there is an error
  std::string error;  ///< empty: all went well, and each result that was looked at was right
  bool lost = false;  ///< and with it the device

  double gbs() const {
    return load.calls_per_second() * static_cast<double>(row->measurement.bytes()) * 1e-9;
  }
  double joules_per_gb() const { return load.energy.watts() / gbs(); }
};

/// The order of a round: 0 to count - 1, shuffled, each round otherwise.
std::vector<std::size_t> order_of_round(std::size_t count, unsigned round, std::uint64_t seed);

/// All rounds over all rows; an idle interval precedes each round. `done` is told each one at once.
/// Throws `NotPossible` where a counter is gone or stands still.
std::vector<EnergyRound> measure_energy(Results& results, std::uint64_t seed, Progress& progress,
                                        const std::function<void(const EnergyRound&)>& done);

/// About how long that takes, in seconds.
double energy_seconds(const Plan& plan);

}  // namespace ladder::bench
