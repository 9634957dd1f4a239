// The number of samples of a measurement, the time that a dry run estimates, and the memory sweeps
// that are sampled along with the rungs.

#include <gtest/gtest.h>

#include "bench/run/study.hpp"
#include "one_rung.hpp"

namespace ladder::bench {
namespace {

class TimeBudget : public OneRung {
 protected:
  TimeBudget() { selection_.sizes = read_sizes("2^28"); }
  double seconds() { return estimated_seconds(selection_, plan()); }
};

TEST_F(TimeBudget, IsSpentInSamplesWithinLimits) {
  for (const bool quick : {false, true}) {
    selection_.quick = quick;
    EXPECT_EQ(samples_for(selection_, 30, 0.9), 5U);
    EXPECT_EQ(samples_for(selection_, 30, 1.1), 3U);
    EXPECT_EQ(samples_for(selection_, 0.01, 0.001), quick ? 10U : 50U);
    EXPECT_EQ(samples_for(selection_, 1e-6, 1e-6), quick ? 40U : 500U);
  }
}

TEST_F(TimeBudget, IsWhatADryRunTells) {
  selection_.no_ceilings = true;
  EXPECT_EQ(seconds(), 0.5);
  selection_.no_ceilings = false;
  EXPECT_EQ(seconds(), 4 * 0.5) << "the rung and three sweeps";
  selection_.samples = 1000;
  EXPECT_EQ(seconds(), 0) << "not known";
}

using Ceilings = OneRung;

TEST_F(Ceilings, AreSampledWithTheThreeFastestSweepsAlone) {
  selection_.sizes = read_sizes("2^18");
  const Plan planned = plan();
  const auto names = backends_.front()->device().ceiling_configurations();
  ASSERT_GT(names.size(), 3U);
  Results results(planned);
  Progress progress({});
  make_rows(selection_, 0, progress, results);
  sweep_ceilings(selection_, progress, results);
  ASSERT_EQ(results.ceilings.size(), 1U);
  std::vector<std::string> kept;
  for (const auto& candidate : results.ceilings.front().candidates) {
    kept.push_back(names[candidate.configuration]);
    EXPECT_TRUE(candidate.seconds.empty()) << "what chose it does not measure it";
    EXPECT_GT(candidate.wanted, 0U);
  }
  EXPECT_EQ(kept, (std::vector<std::string>{"fast sweep", "slow sweep", "slower sweep"}));
}

TEST(Durations, AreToldInTheUnitsOfPeople) {
  EXPECT_EQ(duration_text(0.01), "1 s");
  EXPECT_EQ(duration_text(99.4), "99 s");
  EXPECT_EQ(duration_text(100), "1 min 40 s");
  EXPECT_EQ(duration_text(120), "2 min");
  EXPECT_EQ(duration_text(5999), "99 min 59 s");
  EXPECT_EQ(duration_text(6000), "1 h 40 min");
  EXPECT_EQ(duration_text(36000), "10 h");
}

}  // namespace
}  // namespace ladder::bench
