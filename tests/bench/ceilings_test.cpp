// Which sweeps of the memory are sampled beside the rungs.

#include <gtest/gtest.h>

#include "bench/run/study.hpp"
#include "one_rung.hpp"

namespace ladder::bench {
namespace {

class Ceilings : public OneRung {
 protected:
  Ceilings() : OneRung("r02", "2^18") {}
};

TEST_F(Ceilings, AreSampledWithTheThreeFastestSweepsAlone) {
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

}  // namespace
}  // namespace ladder::bench
