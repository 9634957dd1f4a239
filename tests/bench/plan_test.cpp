#include "bench/plan.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "fake_backend.hpp"

namespace ladder::bench {
namespace {

class Planning : public testing::Test {
 protected:
  void SetUp() override {
    backends_.push_back(fake::make_backend());
    backends_.push_back(fake::make_absent());
    selection_.sizes = parse_sizes("", "2^10");
    selection_.scopes = {Scope::kernel};
  }
  Plan plan() { return make_plan(selection_, backends_); }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& m : plan().measurements) found.push_back(m.name());
    return found;
  }
  static bool skips(const Plan& plan, const std::string& what, const std::string& reason) {
    return std::ranges::any_of(plan.skipped, [&](const Skipped& s) {
      return s.what.find(what) != std::string::npos && s.reason.find(reason) != std::string::npos;
    });
  }

  std::vector<std::unique_ptr<Backend>> backends_;
  Selection selection_;
};

TEST_F(Planning, NamesAMeasurementByEverythingThatItIs) {
  selection_.rungs = {"r04"};
  EXPECT_EQ(
      names(),
      std::vector<std::string>{
          "reduce/pretend/r04_sequential_addressing/f32/sum/n:1024/block:256/exact/cold/kernel"});
  selection_.rungs = {"r06"};
  selection_.operations = {Operation::max};
  selection_.places = {Place::last};
  EXPECT_EQ(names(), std::vector<std::string>{"reduce/pretend/r06_first_add_on_load/f32/max/n:1024/"
                                              "block:256/exact/place:last/cold/kernel"});
}

TEST_F(Planning, TakesRungsByIdSlugRangeAndKind) {
  selection_.rungs = {"r02..r04", "first_add_on_load", "lib"};
  EXPECT_EQ(names().size(), 4u);  // r02, r04, r06, library_fake; r03 is absent
  selection_.rungs = {"r4"};
  try {
    plan();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("r04"), std::string::npos) << error.what();
  }
  selection_.rungs = {"r06..r02"};
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, DropsNothingSilently) {
  selection_.operations = {Operation::max};
  const auto made = plan();
  EXPECT_TRUE(skips(made, "r03", "left out on purpose"));
  EXPECT_TRUE(skips(made, "r04_sequential_addressing f32 max", "not carried"));
  EXPECT_TRUE(skips(made, "blocks", "host scope only"));
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_NE(made.notes[0].find("buy one"), std::string::npos);
}

TEST_F(Planning, CrossesOnlyTheAxesThatARungHas) {
  selection_.rungs = {"r06", "library_fake"};
  selection_.blocks = {32, 64, 512};
  selection_.caches = {Cache::cold, Cache::hot};
  const auto made = plan();
  EXPECT_EQ(made.measurements.size(), 2u * 2 + 2);
  EXPECT_TRUE(skips(made, "block", "512"));
  std::set<std::string> ids;
  for (const auto& m : made.measurements) EXPECT_TRUE(ids.insert(m.id()).second);
}

TEST_F(Planning, StopsWhereABackendAskedForByNameIsNotThere) {
  selection_.backends = {"absent"};
  EXPECT_THROW(plan(), NotPossible);
  selection_.backends = {"pretent"};
  try {
    plan();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("pretend"), std::string::npos);
  }
}

TEST_F(Planning, SkipsSizesThatDoNotFitAndKeepsTheRest) {
  selection_.rungs = {"r02"};
  selection_.sizes = parse_sizes("", "2^10,2^40");
  const auto made = plan();
  EXPECT_EQ(made.measurements.size(), 1u);
  EXPECT_TRUE(skips(made, "n:1099511627776", "needs 4 TiB, free "));
}

TEST_F(Planning, FiltersByGoogleBenchmarksRules) {
  selection_.filter = "r0[24]";
  EXPECT_EQ(names().size(), 2u);
  selection_.filter = "-r0[24]";
  for (const auto& name : names()) EXPECT_EQ(name.find("/r02"), std::string::npos);
  selection_.filter = "(";
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, GivesAUsersPeakToWhomHeMeant) {
  selection_.peaks = {{"pretend", 123}};
  EXPECT_EQ(plan().peaks[0].gbs, 123);
  selection_.peaks = {{"", 123}};  // without a name: the CPU's
  EXPECT_EQ(plan().peaks[0].gbs, 100);
  selection_.peaks = {{"nobody", 123}};
  EXPECT_THROW(plan(), UsageError);
}

}  // namespace
}  // namespace ladder::bench
