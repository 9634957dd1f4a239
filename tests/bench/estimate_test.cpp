// How long a dry run says that it will take, over a fake device that tells the time that it likes,
// and by a clock that goes on by a microsecond each time it is read. So nothing here depends on how
// busy the machine is.

#include "bench/run/estimate.hpp"

#include <gtest/gtest.h>

#include "bench/run/study.hpp"
#include "bench/tell/digits.hpp"
#include "fake_backend.hpp"

namespace ladder::bench {
namespace {

class Estimating : public testing::Test {
 protected:
  void SetUp() override {
    backends_.push_back(fake::make_backend());
    selection_.rungs = {"r02"};
    selection_.sizes = parse_sizes("", "2^18");
    selection_.scopes = {Scope::kernel};
  }
  double seconds() {
    double time = 0;
    return estimated_seconds(selection_, make_plan(selection_, backends_),
                             [&time] { return time += 1e-6; });
  }

  std::vector<std::unique_ptr<Backend>> backends_;
  Selection selection_;
};

TEST_F(Estimating, GoesByTheNumberOfSamples) {
  selection_.samples = 1000;
  const double thousand = seconds();
  selection_.samples = 100000;
  EXPECT_GT(seconds(), 20 * thousand);
}

TEST_F(Estimating, GoesByTheBudget) {
  selection_.sizes = parse_sizes("", "2^22");  // so that the budget limits the samples
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
  selection_.sizes = parse_sizes("", "2^24");
  const double large = seconds();
  EXPECT_GT(large, 10 * small);
  selection_.rungs = {"r15"};
  EXPECT_LT(seconds(), 0.7 * large);
}

TEST_F(Estimating, TimesByTheWallsClockWhereNoneIsGiven) {
  EXPECT_GT(estimated_seconds(selection_, make_plan(selection_, backends_)), 0);
}

TEST_F(Estimating, IsNotStoppedByWhatFails) {
  selection_.rungs = {"throws", "refused", "lets_go", "wrong"};
  EXPECT_GT(seconds(), 0);
  selection_.sizes = parse_sizes("", "0");
  EXPECT_GE(seconds(), 0);
}

TEST(Durations, AreToldInTheUnitsOfPeople) {
  EXPECT_EQ(duration_text(0.01), "1 s");
  EXPECT_EQ(duration_text(41.4), "41 s");
  EXPECT_EQ(duration_text(120), "2 min");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(duration_text(36000), "10 h");
}

}  // namespace
}  // namespace ladder::bench
