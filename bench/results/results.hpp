#pragma once

// What comes out of carrying a plan out: order statistics of the samples of one process, estimates
// over several processes, and what a row's samples mean relative to the peak, the ceiling and the
// other rows. And figures as people read them: how many digits one has is one rule, which
// tests/digits.csv holds for every program that prints figures.

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

/// Quantiles are linear between neighbours (Hyndman and Fan, type 7).
struct Statistics {
  std::size_t count = 0;
  double median = std::nan(""), p5 = std::nan(""), p95 = std::nan("");
  /// The mean of the middle half, and so of what neither quarter at the ends has. Where samples
  /// have one mode it is as the median; where they have two of about the same weight, as cold times
  /// of several launches do, the median jumps from one to the other.
  double midmean = std::nan("");
  /// The standard error of `midmean`, as a part of it; infinite for a single sample.
  double uncertainty = std::nan("");

  explicit Statistics(std::vector<double> values = {});
};

/// A quantity above zero, over the processes of a study.
struct Estimate {
  double median = std::nan("");  ///< reported for times and bandwidths
  double mean = std::nan("");    ///< geometric; reported for ratios
  double uncertainty = 0;        ///< half of the 95 % interval, as a part of the mean
};

/// The 97.5 % quantile of Student's t distribution.
double student(std::size_t degrees_of_freedom);

/// Estimates a quantity from its value in each process, NaN where a process has none. From two on
/// the interval is Student's t on the logarithms: processes differ by factors, and by more than the
/// samples of one show. One alone says nothing of the next; `within` is then the uncertainty.
Estimate estimate(std::span<const double> of_processes, double within);

/// Estimates the quotient of two quantities, formed in each process.
Estimate quotient(std::span<const double> above, std::span<const double> below, double within);

/// How well a value is known.
struct Precision {
  double relative = 0;  ///< the value's uncertainty, as a part of it; 0 where none is known
  int most = 4;         ///< the largest number of digits

  Precision(double uncertainty, int digits) : relative(uncertainty), most(digits) {}
  /// Of a time and what is proportional to it; a single sample warrants two digits.
  explicit Precision(double uncertainty)
      : relative(std::isfinite(uncertainty) ? uncertainty : 0),
        most(std::isfinite(uncertainty) ? 4 : 2) {}
};

/// Never in exponent form. The last digit is the first uncertain one, or the last of the most;
/// digits left of the point are kept, as zeros where they mean nothing.
std::string digits_text(double value, Precision precision);
/// 1.5e-6 as "1.50 µs".
std::string seconds_text(double seconds, Precision precision);
/// How long something takes, in whole seconds, at least one: "41 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

/// A measurement's summary of another process of the study; a default one where it has none.
struct OtherProcess {
  std::size_t count = 0;
  double time = std::nan("");  ///< seconds
  unsigned wrong = 0, failed = 0;
  std::string error{};
};

/// One of the fresh processes that --processes runs one after the other, each with the same
/// measurements. What a process finds depends on where its memory and its code came to lie, so one
/// process is one sample of the machine.
struct Process {
  unsigned index = 1, of = 1;
  /// The run that began the study, the same for all of its processes; empty: this one's.
  std::string group;
  /// Seeds where the process puts its memory, and the order in which it loads its code; 0: as the
  /// runtime gives it.
  std::uint64_t places = 0;
};

/// A job that is timed again and again.
struct Sampled {
  std::unique_ptr<Job> job;
  std::vector<double> seconds{};  ///< of the right results
  std::size_t wanted = 0;         ///< samples
  unsigned calls = 1;             ///< in a row, of a sample
  double cost = 0;                ///< wall seconds of one sample with all that goes with it
  std::size_t step = 0;           ///< of the study, that takes one sample
};

inline constexpr unsigned energy_rounds = 3;

/// The interval between two changes of an energy counter.
struct Energy {
  double joules = 0, seconds = 0;
  double slack = 0;  ///< seconds by which the interval may be longer or shorter

  double watts() const { return joules / seconds; }
};

/// One round of a measurement's energy.
struct EnergyRound {
  unsigned round = 1;        ///< from 1
  std::size_t place = 1;     ///< in the round's order, from 1
  std::string source;        ///< name of the counter
  Energy step, idle;         ///< of the idle device: one step of the counter, and some seconds
  Energy load{};             ///< under calls back to back; meaningless with an error
  std::size_t calls = 0;     ///< in `calls_seconds`, which include the load's interval
  double calls_seconds = 0;  ///< from the start of the first call to the end of the last
  std::string error{};       ///< empty if every checked result was right

  double gbs(const Measurement& m) const {
    return static_cast<double>(calls * m.bytes()) / calls_seconds * 1e-9;
  }
};

/// A measurement and what has become of it.
struct Row : Sampled {
  Measurement measurement;
  std::size_t pilot_step = 0;  ///< of the study, before any sample
  ResidentInput* input = nullptr;
  Reference reference;
  std::shared_ptr<GroupReferences> group_references;  ///< where there are groups, in its place
  std::vector<std::size_t> planted;                   ///< indices of deciding elements
  std::vector<double> skews;  ///< of the releases of their devices, where they have several
  std::size_t wrong = 0, failed = 0, discarded = 0;
  std::size_t retaken = 0;    ///< samples that something disturbed, each time one was
  std::size_t disturbed = 0;  ///< of those that count: as often as they may be taken
  std::string disturbance;    ///< the first of them
  std::string error;          ///< the first
  bool vacuous = false;
  bool left_open = false;         ///< some results are right only as the rung's declaration allows
  double ulps = 0;                ///< the largest error seen
  std::set<std::string> results;  ///< the right ones, each once

  std::vector<EnergyRound> energy;  ///< instead of seconds

  /// Of the study's other processes in their order, once they are added; this one is the last.
  std::vector<OtherProcess> others;

  bool good() const { return wrong == 0 && failed == 0 && !seconds.empty(); }
  /// Of this process.
  Statistics statistics() const { return Statistics(seconds); }
  /// Right samples of all processes.
  std::size_t right() const {
    std::size_t count = seconds.size();
    for (const auto& other : others) count += other.count;
    return count;
  }
  /// Seconds in each process.
  std::vector<double> times() const {
    std::vector<double> all;
    for (const auto& other : others) all.push_back(other.time);
    all.push_back(statistics().midmean);
    return all;
  }
  Estimate time() const { return estimate(times(), statistics().uncertainty); }
};

/// The read-only sweep at one byte count and cache state of one device: its best configurations,
/// interleaved with the rungs. On a CPU of one input, too: where the system has put its pages
/// decides how fast they are read, by up to a quarter in a virtual machine.
struct Ceiling {
  struct Candidate : Sampled {
    std::size_t configuration = 0;

    double time() const { return seconds.empty() ? 1e30 : Statistics(seconds).midmean; }
  };
  Device* device = nullptr;
  std::size_t asked_bytes = 0;  ///< of the measurements that it is for
  std::size_t bytes = 0;        ///< read by the sweep: whole 16-byte words
  Cache cache = Cache::cold;
  std::vector<Candidate> candidates;
  std::optional<Measurement> input_of;  ///< and of those that share its input; empty: of all

  /// Whether it reads as much, from there, in that cache state. The time of a single sweep has the
  /// clock's floor in it, that of a call in a chain has not: these have no ceiling.
  bool is_alike(const Measurement& m) const {
    return device == &m.device() && asked_bytes == m.bytes() && cache == m.cache &&
           m.scope != Scope::chain;
  }
  /// Whether a measurement is to be held against it.
  bool is_of(const Measurement& m) const {
    return is_alike(m) && (!input_of || share_input(*input_of, m));
  }

  std::vector<double> others;  ///< GB/s of the study's other processes, once they are added

  const Candidate& best() const {
    return *std::ranges::min_element(candidates, {}, &Candidate::time);
  }
  /// Of this process.
  double own_gbs() const { return static_cast<double>(bytes) / best().time() * 1e-9; }
  /// GB/s in each process.
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

/// What a measurement costs that measures nothing.
struct FloorTime {
  Device* device = nullptr;
  Floor what = Floor::clock;
  Statistics statistics;
  unsigned calls = 1;  ///< in a row, of a sample
};

struct Results {
  explicit Results(const Plan& made) : plan(made), left_out(made.left_out) {}

  const Plan& plan;
  std::vector<std::unique_ptr<ResidentInput>> inputs;  ///< of the rows
  std::vector<std::unique_ptr<Buffer>> pads;           ///< between what the jobs have allocated
  std::vector<Row> rows;                               ///< in the plan's order
  std::vector<Ceiling> ceilings;
  std::vector<FloorTime> floors;
  LeftOut left_out;  ///< by the plan, and what was planned and cannot be had

  const Ceiling* ceiling_of(const Measurement& m) const {
    for (const auto& ceiling : ceilings) {
      if (ceiling.is_of(m) && !ceiling.best().seconds.empty()) return &ceiling;
    }
    return nullptr;
  }
};

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
  std::optional<Speedup> step;     ///< relative to the nearest measured rung of the base chain
  std::optional<Speedup>
      cumulative;  ///< relative to the ladder's first tree, r02, or the CPU's c00
};

/// Derives bandwidth and speed-ups of a row with right results; no speed-up if it takes less than
/// twice an empty call. Compares rows that differ in rung and tuning alone.
Derived derive(const Results& results, const Row& row);

/// True if a right result came more than 1 % faster than the ceiling allows, at a size that no
/// cache explains.
bool above_ceiling(const Results& results, const Row& row);

}  // namespace ladder::bench
