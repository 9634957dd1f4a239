#pragma once

// What comes out of carrying a plan out.

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"
#include "bench/run/resident_input.hpp"
#include "bench/run/statistics.hpp"
#include "common/check.hpp"

namespace ladder::bench {

/// A measurement and what has become of it.
struct Row {
  Measurement measurement;
  std::unique_ptr<Job> job;
  ResidentInput* input = nullptr;
  Reference reference;
  std::size_t planted = 0;      ///< index of the deciding element; n where there is none
  std::size_t wanted = 0;       ///< samples
  double sample_cost = 0;       ///< wall seconds of one sample with all that goes with it
  std::vector<double> seconds;  ///< of the right results
  std::size_t wrong = 0, failed = 0, discarded = 0;
  std::string error;  ///< the first
  bool vacuous = false;
  bool left_open = false;         ///< some results are right only as the rung's declaration allows
  double ulps = 0;                ///< the largest error seen
  std::set<std::string> results;  ///< the right ones, each once

  bool good() const { return wrong == 0 && failed == 0 && !seconds.empty(); }
  Statistics statistics() const { return Statistics(seconds); }
};

/// The read-only sweep at one byte count and cache state of one device: its best configurations,
/// interleaved with the rungs.
struct Ceiling {
  struct Candidate {
    std::size_t configuration;
    std::unique_ptr<Job> job;
    std::vector<double> seconds;
    double cost = 0;
    std::size_t wanted = 0;

    double median() const { return seconds.empty() ? 1e30 : Statistics(seconds).median; }
  };
  Device* device = nullptr;
  std::size_t asked_bytes = 0;  ///< of the measurements that it is for
  std::size_t bytes = 0;        ///< read by the sweep: whole 16-byte words
  Cache cache = Cache::cold;
  std::vector<Candidate> candidates;

  const Candidate& best() const {
    return *std::ranges::min_element(candidates, {}, &Candidate::median);
  }
  double gbs() const { return static_cast<double>(bytes) / best().median() * 1e-9; }
  std::string configuration() const {
    return device->ceiling_configurations()[best().configuration];
  }
};

/// What a measurement costs that measures nothing.
struct FloorTime {
  Device* device = nullptr;
  Floor what = Floor::clock;
  Statistics statistics;
};

struct Results {
  explicit Results(const Plan& made) : plan(made) {}

  const Plan& plan;
  std::vector<std::unique_ptr<ResidentInput>> inputs;  ///< of the rows
  std::vector<Row> rows;                               ///< in the plan's order
  std::vector<Ceiling> ceilings;
  std::vector<FloorTime> floors;
  std::vector<Skipped> skipped;  ///< what was planned and cannot be had

  const Ceiling* ceiling_of(const Measurement& m) const {
    for (const auto& ceiling : ceilings) {
      const bool same = ceiling.device == &m.device() && ceiling.asked_bytes == m.bytes();
      if (same && ceiling.cache == m.cache && !ceiling.best().seconds.empty()) return &ceiling;
    }
    return nullptr;
  }
};

}  // namespace ladder::bench
