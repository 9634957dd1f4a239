// How long a dry run says that it will take, over a fake device that tells the time that it likes,
// and by a clock that goes on by a microsecond each time it is read. So nothing here depends on how
// busy the machine is.

#include "bench/run/estimate.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "bench/results/digits.hpp"
#include "bench/run/energy.hpp"
#include "bench/run/study.hpp"
#include "one_rung.hpp"

namespace ladder::bench {
namespace {

class Estimating : public OneRung {
 protected:
  Estimating() : OneRung("r02", "2^18") {}
  double seconds(double time = 0) {
    return estimated_seconds(selection_, plan(), [&time] { return time += 1e-6; });
  }
};

TEST_F(Estimating, GoesByTheNumberOfSamples) {
  selection_.samples = 1000;
  const double thousand = seconds();
  selection_.samples = 100000;
  EXPECT_GT(seconds(), 20 * thousand);
}

TEST_F(Estimating, GoesByTheBudget) {
  selection_.sizes = read_sizes("2^22");  // so that the budget limits the samples
  const double whole = seconds();
  selection_.quick = true;
  EXPECT_LT(seconds(), 0.7 * whole);
}

TEST_F(Estimating, TakesAFewSamplesHoweverSmallTheBudget) {
  for (const bool quick : {false, true}) {
    selection_.quick = quick;
    EXPECT_EQ(samples_for(selection_, 30, 0.9), 5U);
    EXPECT_EQ(samples_for(selection_, 30, 1.1), 3U);
    EXPECT_EQ(samples_for(selection_, 0.01, 0.001), quick ? 10U : 50U);
    EXPECT_EQ(samples_for(selection_, 1e-6, 1e-6), quick ? 40U : 500U);
  }
}

TEST_F(Estimating, GoesByTheSizeAndByTheRungsOwnTime) {
  selection_.samples = 100;
  const double small = seconds();
  selection_.sizes = read_sizes("2^24");
  const double large = seconds();
  EXPECT_GT(large, 10 * small);
  selection_.rungs = {"r15"};
  EXPECT_LT(seconds(), 0.7 * large);
}

TEST_F(Estimating, DoesNotAskWhereTheClockStands) {
  selection_.samples = 1000;
  EXPECT_NEAR(seconds(1e6), seconds(), 0.01 * seconds());
}

/// By a clock that goes on by a second each time it is read, so that all else is lost in that.
TEST_F(Estimating, HasTheReferenceOfEachOperationInIt) {
  selection_.no_ceilings = true;
  const auto by_seconds = [&] {
    double time = 0;
    return estimated_seconds(selection_, plan(), [&time] { return ++time; });
  };
  const double one = by_seconds();
  selection_.operations = {Operation::sum, Operation::max};
  EXPECT_GE(by_seconds(), one + 1);
}

TEST_F(Estimating, TakesTheTimeOfNoFirstRun) {
  selection_.no_ceilings = true;
  fake::log().clear();
  seconds();
  // A first run that has come to an end, and then what is timed.
  const std::array first{"run", "fetch", "arm"};
  EXPECT_FALSE(std::ranges::search(fake::log(), first).empty());
}

TEST_F(Estimating, HasTheCeilingsInIt) {
  selection_.samples = 1000;
  const double with = seconds();
  selection_.no_ceilings = true;
  EXPECT_GT(with, seconds());
}

/// Of a fake's least launch, which is its least run too, the cost and the time are a microsecond.
TEST_F(Estimating, TakesNoRunForFasterThanALaunch) {
  selection_.rungs = {"lets_go"};
  selection_.no_ceilings = true;
  selection_.samples = 1000000;
  EXPECT_NEAR(seconds(), 2, 0.1);
}

TEST_F(Estimating, OfEnergyHasTheIdleDeviceAndTheLoadOfEachMeasurementInIt) {
  const double one = energy_seconds(plan());
  selection_.sizes = read_sizes("2^17..2^18");
  const double two = energy_seconds(plan());
  EXPECT_GE(two - one, energy_rounds * (energy_warm_up + energy_least + 2 * energy_batch));
  EXPECT_GE(one - (two - one), idle_least + energy_rounds * (idle_settling + idle_least));
}

TEST_F(Estimating, TimesByTheWallsClockWhereNoneIsGiven) {
  EXPECT_GT(estimated_seconds(selection_, plan()), 0);
}

TEST_F(Estimating, IsNotStoppedByWhatFails) {
  selection_.rungs = {"throws", "refused", "lets_go", "wrong"};
  EXPECT_GT(seconds(), 0);
  selection_.sizes = read_sizes("0");
  EXPECT_GE(seconds(), 0);
}

TEST(Durations, AreToldInTheUnitsOfPeople) {
  EXPECT_EQ(duration_text(0.01), "1 s");
  EXPECT_EQ(duration_text(41.4), "41 s");
  EXPECT_EQ(duration_text(99.4), "99 s");
  EXPECT_EQ(duration_text(100), "1 min 40 s");
  EXPECT_EQ(duration_text(120), "2 min");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(5999), "99 min 59 s");
  EXPECT_EQ(duration_text(6000), "1 h 40 min");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(duration_text(36000), "10 h");
}

}  // namespace
}  // namespace ladder::bench
