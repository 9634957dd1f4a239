#pragma once

// A plan carried out: inputs, references, jobs, the ceiling and the floors, then all samples
// interleaved.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/input.hpp"
#include "bench/plan.hpp"
#include "bench/progress.hpp"
#include "bench/records.hpp"
#include "bench/statistics.hpp"
#include "common/check.hpp"

namespace ladder::bench {

/// A measurement and what has become of it.
struct Row {
  Measurement measurement;
  std::unique_ptr<Job> job;
  Input* input = nullptr;
  Reference reference;
  std::size_t planted = 0;      ///< index of the deciding element; n where there is none
  std::size_t wanted = 0;       ///< samples
  double sample_cost = 0;       ///< wall seconds of one sample with all that goes with it
  std::vector<double> seconds;  ///< of the right results
  std::size_t wrong = 0, failed = 0, discarded = 0;
  std::string error;  ///< the first
  bool vacuous = false;
  double ulps = 0;  ///< the largest error seen

  bool good() const { return wrong == 0 && failed == 0 && !seconds.empty(); }
  Statistics statistics() const { return Statistics(seconds); }
};

/// The read-only sweep at one byte count and cache state of one memory space: its best
/// configurations, interleaved with the rungs.
struct Ceiling {
  struct Candidate {
    Backend* backend;
    std::size_t configuration;
    std::unique_ptr<Job> job;
    std::vector<double> seconds;
    double cost = 0;
    std::size_t wanted = 0;
  };
  std::string space;
  std::size_t asked_bytes = 0;  ///< of the measurements that it is for
  std::size_t bytes = 0;        ///< read by the sweep: whole 16-byte words
  Cache cache = Cache::cold;
  std::vector<Candidate> candidates;

  const Candidate& best() const;
  double gbs() const;
};

/// What a measurement costs that measures nothing.
struct Floor {
  Backend* backend;
  std::string what;
  Statistics statistics;
};

class Study {
 public:
  Study(const Selection& selection, Plan plan, Records& records);

  /// Everything before the first counted sample; `earlier` ones count. Throws `NotPossible` or
  /// `UsageError`.
  void prepare(const std::map<std::string, Earlier>& earlier);
  /// All samples, through Google Benchmark, then the summaries.
  void run();

  const Plan& plan() const { return plan_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Ceiling>& ceilings() const { return ceilings_; }
  const std::vector<Floor>& floors() const { return floors_; }
  const Ceiling* ceiling_of(const Measurement& measurement) const;

 private:
  void make_inputs();
  void make_row(Measurement measurement);
  void measure_floors();
  void sweep_ceilings();
  void pilot();
  std::size_t samples_for(double cost, double seconds) const;
  /// One sample of a row: dressed, timed, checked, recorded.
  void sample(Row& row);
  /// Times a row's run on its dressed input; nothing where it failed or was discarded too often.
  std::optional<double> timed(Row& row);
  void fail(Row& row, const std::string& what);
  void register_benchmarks();
  void write_summaries();

  const Selection& selection_;
  Plan plan_;
  Records& records_;
  Progress progress_;
  struct Resident {
    Measurement largest;
    std::unique_ptr<Input> input;
  };
  std::vector<Resident> residents_;
  std::vector<Row> rows_;
  std::vector<Ceiling> ceilings_;
  std::vector<Floor> floors_;
};

}  // namespace ladder::bench
