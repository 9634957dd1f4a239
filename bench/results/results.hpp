#pragma once

// Results of a plan: statistics of one process's samples, estimates over processes, and comparisons
// with the peak, the ceiling and other rows. Also number formatting: tests/digits.csv specifies the
// number of digits for every program that prints figures.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"
#include "bench/results/sampler.hpp"

namespace ladder::bench {

/// Order statistics; quantiles interpolate linearly (Hyndman and Fan, type 7).
struct Statistics {
  std::size_t count = 0;
  double median = std::nan(""), p5 = std::nan(""), p95 = std::nan("");
  /// Mean of the middle half of the samples. Close to the median for unimodal samples. For two
  /// modes of similar weight, as in cold times of several launches, the median would jump between
  /// them.
  double midmean = std::nan("");
  /// Relative standard error of `midmean`; infinite for a single sample.
  double uncertainty = std::nan("");

  explicit Statistics(std::vector<double> values = {});
};

/// Estimate of a positive quantity over the processes of a study.
struct Estimate {
  double median = std::nan("");  ///< reported for times and bandwidths
  double mean = std::nan("");    ///< geometric; reported for ratios
  double uncertainty = 0;        ///< half of the 95 % interval, relative to the mean
};

/// The 97.5 % quantile of Student's t distribution.
double student(std::size_t degrees_of_freedom);

/// Estimates a quantity from its value per process (NaN: missing). For two or more processes the
/// interval is Student's t on the logarithms: processes differ by factors, and by more than samples
/// within one. For a single process the uncertainty is `within`.
Estimate estimate(std::span<const double> of_processes, double within);

/// Estimates a quotient of two quantities, computed per process.
Estimate quotient(std::span<const double> above, std::span<const double> below, double within);

/// Precision of a value for formatting.
struct Precision {
  double relative = 0;  ///< relative uncertainty; 0: unknown
  int most = 4;         ///< maximum number of digits

  /// A single sample, whose uncertainty is infinite, warrants two digits.
  Precision(double uncertainty, int digits)
      : relative(std::isfinite(uncertainty) ? uncertainty : 0),
        most(std::isfinite(uncertainty) ? digits : 2) {}
  /// For times and proportional quantities.
  explicit Precision(double uncertainty) : Precision(uncertainty, 4) {}
};

/// Formats without exponent. The last digit is the first uncertain one, limited to `most` digits;
/// digits left of the point stay, as zeros if insignificant.
std::string digits_text(double value, Precision precision);
/// 1.5e-6 as "1.50 µs".
std::string seconds_text(double seconds, Precision precision);
/// Duration in whole seconds, at least one: "41 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

/// A measurement's summary from another process of the study; default values if missing.
struct OtherProcess {
  std::size_t count = 0;
  double time = std::nan("");  ///< seconds
  unsigned wrong = 0, failed = 0;
  std::string error{};
};

/// One of the fresh processes that --processes runs in sequence, with the same measurements. Memory
/// and code placement affect times, so one process is one sample of the machine.
struct Process {
  unsigned index = 1, of = 1;
  /// Id of the study's first run, common to all processes; empty: this run's id.
  std::string group;
  /// Seed for memory placement and the order of kernel loading; 0: left to the runtime.
  std::uint64_t places = 0;
};

/// A job that is timed repeatedly.
struct Sampled {
  std::unique_ptr<Job> job;
  std::vector<double> seconds{};  ///< right results only
  std::size_t wanted = 0;         ///< samples to take
  unsigned calls = 1;             ///< consecutive calls per sample
  double cost = 0;                ///< wall seconds per sample, including preparation
  std::size_t step = 0;           ///< index of the study's step that takes one sample
};

inline constexpr unsigned energy_rounds = 3;

/// Energy over an interval between two changes of an energy counter.
struct Energy {
  double joules = 0, seconds = 0;
  double slack = 0;  ///< uncertainty of `seconds`, in either direction

  double watts() const { return joules / seconds; }
  /// Relative.
  double uncertainty() const { return slack / seconds; }
};

/// One round of an energy measurement.
struct EnergyRound {
  unsigned round = 1;        ///< from 1
  std::size_t place = 1;     ///< position in the round's order, from 1
  std::string source;        ///< name of the counter
  Energy step, idle;         ///< idle device: one counter step, and a few seconds
  Energy load{};             ///< under back-to-back calls; invalid with an error
  std::size_t calls = 0;     ///< calls in `calls_seconds`, which include the load's interval
  double calls_seconds = 0;  ///< from the start of the first call to the end of the last
  std::string error{};       ///< empty if every checked result was right

  double gbs(const Measurement& m) const {
    return static_cast<double>(calls * m.bytes()) / calls_seconds * 1e-9;
  }
};

/// A measurement and its results.
struct Row : Sampled {
  Measurement measurement;
  std::size_t pilot_step = 0;  ///< index of the study's pilot step, before all samples
  ResidentInput* input = nullptr;
  Reference reference;
  std::shared_ptr<GroupReferences> group_references;  ///< replaces `reference` for groups
  std::vector<std::size_t> planted;                   ///< indices of the planted elements
  std::vector<double> skews;  ///< release skew per sample on several devices
  std::size_t wrong = 0, failed = 0, discarded = 0;
  std::size_t retaken = 0;             ///< disturbed samples that were repeated
  std::size_t disturbed = 0;           ///< disturbed samples kept: repeats exhausted
  std::set<std::string> disturbances;  ///< their reasons
  std::string error;                   ///< the first error
  bool vacuous = false;
  bool left_open = false;         ///< some results are right only by the rung's traits
  double ulps = 0;                ///< largest error seen
  std::set<std::string> results;  ///< distinct right results

  std::vector<EnergyRound> energy;  ///< instead of seconds

  /// Summaries from the study's other processes in order, once added; this process is the last.
  std::vector<OtherProcess> others;

  bool good() const { return wrong == 0 && failed == 0 && !(seconds.empty() && energy.empty()); }
  /// Statistics of this process.
  Statistics statistics() const { return Statistics(seconds); }
  /// Number of right samples in all processes.
  std::size_t right() const {
    std::size_t count = seconds.size();
    for (const auto& other : others) count += other.count;
    return count;
  }
  /// Seconds per process.
  std::vector<double> times() const {
    std::vector<double> all;
    for (const auto& other : others) all.push_back(other.time);
    all.push_back(statistics().midmean);
    return all;
  }
  Estimate time() const { return estimate(times(), statistics().uncertainty); }
};

/// The read-only sweep for one device, byte count and cache state: its best configurations,
/// interleaved with the rungs. On a CPU also specific to one input: page placement changes read
/// speed, by up to a quarter in a virtual machine.
struct Ceiling {
  struct Candidate : Sampled {
    std::size_t configuration = 0;

    double time() const { return seconds.empty() ? 1e30 : Statistics(seconds).midmean; }
  };
  Device* device = nullptr;
  std::size_t asked_bytes = 0;  ///< bytes of the measurements it applies to
  std::size_t bytes = 0;        ///< bytes the sweep reads: a multiple of 16
  Cache cache = Cache::cold;
  std::vector<Candidate> candidates;
  std::optional<Measurement> input_of;  ///< with this input only; empty: with any

  /// True if device, bytes and cache state match. Chains have no ceiling: a single sweep's time
  /// contains the timer overhead, the time of a call in a chain does not.
  bool is_alike(const Measurement& m) const {
    return device == &m.device() && asked_bytes == m.bytes() && cache == m.cache &&
           m.scope != Scope::chain;
  }
  /// True if the measurement is compared with this ceiling.
  bool is_of(const Measurement& m) const {
    return is_alike(m) && (!input_of || share_input(*input_of, m));
  }

  std::vector<double> others;  ///< GB/s from the study's other processes, once added

  const Candidate& best() const {
    return *std::ranges::min_element(candidates, {}, &Candidate::time);
  }
  /// GB/s of this process.
  double own_gbs() const { return static_cast<double>(bytes) / best().time() * 1e-9; }
  /// GB/s per process.
  std::vector<double> all_gbs() const {
    std::vector<double> all = others;
    all.push_back(own_gbs());
    return all;
  }
  Estimate gbs() const { return estimate(all_gbs(), Statistics(best().seconds).uncertainty); }
  std::string configuration() const {
    return device->ceiling_configurations()[best().configuration];
  }
};

/// Measurement overhead: time of an empty launch, clock pair or call.
struct FloorTime {
  Device* device = nullptr;
  Floor what = Floor::clock;
  Statistics statistics;
  unsigned calls = 1;  ///< consecutive calls per sample
};

struct Results {
  explicit Results(const Plan& made) : plan(made), left_out(made.left_out) {}

  const Plan& plan;
  std::vector<std::unique_ptr<ResidentInput>> inputs;  ///< of the rows
  std::vector<std::unique_ptr<Buffer>> pads;  ///< padding between allocations, segment offsets
  std::vector<Row> rows;                      ///< in the plan's order
  std::vector<Ceiling> ceilings;
  std::vector<FloorTime> floors;
  LeftOut left_out;  ///< omitted by the plan, or impossible when prepared

  const Ceiling* ceiling_of(const Measurement& m) const {
    for (const auto& ceiling : ceilings) {
      if (ceiling.is_of(m) && !ceiling.best().seconds.empty()) return &ceiling;
    }
    return nullptr;
  }
};

/// Speed of a row relative to another.
struct Speedup {
  std::string versus;  ///< rung of the other row
  double factor = 0;
  double uncertainty = 0;  ///< relative
};

struct Derived {
  Estimate time;                  ///< seconds
  double gbs = 0;                 ///< effective bandwidth: each element counted once
  std::optional<double> of_peak;  ///< fraction, not percent; nullopt if the peak is unknown
  std::optional<double> of_ceiling;
  double ceiling_uncertainty = 0;  ///< relative uncertainty of `of_ceiling`
  std::optional<Speedup> step;     ///< relative to the nearest measured rung of the base chain
  std::optional<Speedup>
      cumulative;  ///< relative to r02, the ladder's first tree, or the CPU's c00
};

/// Derives bandwidth and speed-ups of a correct row; no speed-ups if it takes less than twice an
/// empty call. Compares only rows that differ in nothing but rung and tuning.
Derived derive(const Results& results, const Row& row);

/// True if a right result is more than 1 % faster than the ceiling, at a size too large for caches
/// to explain it.
bool above_ceiling(const Results& results, const Row& row);

}  // namespace ladder::bench
