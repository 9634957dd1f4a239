#include "bench/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "one_rung.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

class Planning : public OneRung {
 protected:
  Planning() {
    backends_.push_back(fake::make_absent());
    selection_.rungs.clear();
  }
  std::string refusal() {
    return tests::refusal_of<UsageError>([&] { plan(); });
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& m : plan().measurements) found.push_back(m.name());
    return found;
  }
  /// True if the plan leaves out this rung of the fake backend for a reason that contains `words`.
  static bool leaves_out(const Plan& plan, const std::string& rung, const std::string& words) {
    return std::ranges::any_of(plan.left_out, [&](const auto& one) {
      return one.first.find(words) != std::string::npos && one.second.contains("fake " + rung);
    });
  }
};

TEST_F(Planning, LeavesTheHarnessSomeAirAndItsEvictionBufferWhereItEvicts) {
  auto& device = backends_.front()->device();
  const std::size_t air = std::size_t{device.facts().kind == "gpu" ? 256U : 64U} << 20;
  EXPECT_EQ(bytes_for_inputs(device, true), device.free_bytes() - device.eviction().bytes - air);
  EXPECT_EQ(bytes_for_inputs(device, false), device.free_bytes() - air);
}

TEST(Sizes, BeyondCachesGoByTheLastOfThem) {
  DeviceFacts facts;
  for (const auto& [cache, memory, uncached] : {std::tuple{50U, 1024U, 256U},
                                                {64U, 1024U, 256U},
                                                {65U, 1024U, 260U},
                                                {257U, 2048U, 1028U}}) {
    facts.last_level_cache = std::size_t{cache} << 20;
    EXPECT_EQ(memory_size(facts) >> 20, memory) << cache;
    EXPECT_EQ(uncached_size(facts) >> 20, uncached) << cache;
  }
}

TEST_F(Planning, NamesAMeasurementByEverythingThatItIs) {
  selection_.rungs = {"r04"};
  EXPECT_EQ(
      names(),
      std::vector<std::string>{
          "reduce/fake/r04_sequential_addressing/f32/sum/n:1024/block:256/exact/cold/kernel"});
  selection_.rungs = {"r06"};
  selection_.operations = {Operation::max};
  EXPECT_EQ(names(), std::vector<std::string>{"reduce/fake/r06_first_add_on_load/f32/max/n:1024/"
                                              "block:256/exact/place:random/cold/kernel"});
}

TEST_F(Planning, TakesRungsByIdSlugRangeAndKind) {
  selection_.rungs = {"r02..r04", "first_add_on_load", "lib"};
  EXPECT_EQ(names().size(), 4u);  // r02, r04, r06, library_fake; r03 is absent
  selection_.rungs = {"r4"};
  EXPECT_NE(refusal().find("r04"), std::string::npos) << refusal();
  selection_.rungs = {"r06..r02"};
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, HasAReasonForWhatItLeavesOut) {
  selection_.operations = {Operation::max};
  const auto made = plan();
  EXPECT_TRUE(leaves_out(made, "r03", "left out on purpose"));
  EXPECT_TRUE(leaves_out(made, "r04", "not carried"));
  EXPECT_TRUE(leaves_out(made, "blocks", "host scope only"));
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_NE(made.notes[0].find("buy one"), std::string::npos);
}

TEST_F(Planning, HasNoReasonForRungsThatTakeNoShapeThatIsAskedFor) {
  selection_.shapes = read_shapes("rows:16");
  EXPECT_FALSE(leaves_out(plan(), "r03", "left out on purpose"));
  selection_.rungs = {"r03", "r04"};
  EXPECT_TRUE(leaves_out(plan(), "r03", "left out on purpose"));
}

TEST_F(Planning, RefusesTwoFilesOfOffsetsOfOneName) {
  selection_.shapes = read_shapes("segments:file:a/x");
  EXPECT_NO_THROW(plan());
  selection_.shapes.push_back(read_shapes("segments:file:b/x").front());
  EXPECT_EQ(refusal(), "--shape: two files are named alike, a/x and b/x: rename one");
}

TEST_F(Planning, LeavesOutWhatTheDeviceLacks) {
  for (const auto& rungs :
       {std::vector<std::string>{}, {"r15..r23"}, {"lib", "r02..r23"}, {"r02", "r23"}}) {
    selection_.rungs = rungs;
    EXPECT_TRUE(
        leaves_out(plan(), "r23", "needs compute capability 9.0 (clusters), this GPU has 8.0"));
    EXPECT_FALSE(plan().measurements.empty());
  }
}

TEST_F(Planning, CrossesOnlyTheAxesThatARungHas) {
  selection_.rungs = {"r06", "library_fake"};
  selection_.tuning["block"] = {{32}, {64}, {512}};
  selection_.caches = {Cache::cold, Cache::hot};
  const auto made = plan();
  EXPECT_EQ(made.measurements.size(), 2u * 2 + 2);
  EXPECT_TRUE(leaves_out(made, "r06", "512"));
  std::set<std::string> ids;
  for (const auto& m : made.measurements) EXPECT_TRUE(ids.insert(m.id()).second);
}

TEST_F(Planning, MultipliesGridsByTheSmsWhereAsked) {
  selection_.rungs = {"r11", "r04"};
  selection_.sizes = read_sizes("2^20");
  selection_.tuning["grid"] = {{3}, {2, true}, {8}};
  const auto grid = [](const std::string& blocks) {
    return "reduce/fake/r11_grid_stride/f32/sum/n:1048576/block:256/grid:" + blocks +
           "/exact/cold/kernel";
  };
  EXPECT_EQ(names(), (std::vector<std::string>{"reduce/fake/r04_sequential_addressing/f32/sum/"
                                               "n:1048576/block:256/exact/cold/kernel",
                                               grid("3"), grid("8")}))
      << "r04 has no grid, and 2x on 4 SMs are 8";
}

TEST_F(Planning, LeavesOutTuningsThatCannotBe) {
  selection_.rungs = {"r11", "r08"};
  selection_.tuning["block"] = {{512}, {1024}};
  selection_.tuning["items"] = {{128}};
  selection_.tuning["grid"] = {{2, true}, {4294967295, true}};
  const auto made = plan();
  EXPECT_TRUE(leaves_out(made, "r11", "too many on 4 SMs"));
  EXPECT_TRUE(leaves_out(made, "r11", "512"));
  EXPECT_TRUE(leaves_out(made, "r08", "more than 2^16"));
  ASSERT_EQ(made.measurements.size(), 1u);
}

TEST_F(Planning, TakesEachBackendsFinestScopeWhereNoneIsSet) {
  selection_.scopes = {};
  selection_.rungs = {"r02", "blocks", "c00"};
  backends_.push_back(fake::make_serial());
  const auto made = plan();
  ASSERT_EQ(made.measurements.size(), 2u);
  EXPECT_EQ(made.measurements[0].scope, Scope::kernel);
  EXPECT_EQ(made.measurements[1].backend->name(), "serial");
  EXPECT_EQ(made.measurements[1].scope, Scope::host);
  EXPECT_TRUE(leaves_out(made, "blocks", "host scope only"));
}

TEST_F(Planning, ChainsCallsInAHotCacheWhereTheyDoNotBlock) {
  selection_.scopes = {Scope::chain};
  selection_.caches = {Cache::cold, Cache::hot};
  selection_.rungs = {"r02", "blocks"};
  const auto made = plan();
  ASSERT_EQ(made.measurements.size(), 1u);
  EXPECT_EQ(made.measurements[0].scope, Scope::chain);
  EXPECT_EQ(made.measurements[0].cache, Cache::hot);
  EXPECT_TRUE(leaves_out(made, "blocks", "host scope only"));
}

TEST_F(Planning, PassesOverWhatNoBackendHasOfADefaultAlone) {
  const std::array sweep{"ladder", "--sweep=items", "--backends=serial"};
  backends_.push_back(fake::make_serial());
  selection_ = parse_command_line(sweep.size(), sweep.data()).value();
  EXPECT_TRUE(plan().measurements.empty()) << "it has none of its rungs r07, r08";
  const std::array own_rungs{"ladder", "--sweep=items", "--rungs=r07,c1"};
  selection_ = parse_command_line(own_rungs.size(), own_rungs.data()).value();
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, TakesARungOnlyOfTheBackendsThatAreSelected) {
  backends_.push_back(fake::make_serial());
  selection_.rungs = {"c00"};
  selection_.scopes = {Scope::host};
  EXPECT_EQ(plan().measurements.size(), 1U);
  selection_.backends = {"fake"};
  EXPECT_NE(refusal().find("'c00': no backend here has it; choose from "), std::string::npos);
}

TEST_F(Planning, StopsWhereABackendAskedForByNameIsNotThere) {
  selection_.backends = {"absent"};
  EXPECT_THROW(plan(), NotPossible);
  selection_.backends = {"fak"};
  EXPECT_NE(refusal().find("fake"), std::string::npos) << refusal();
}

TEST_F(Planning, LeavesOutSizesThatDoNotFitAndKeepsTheRest) {
  selection_.rungs = {"r02"};
  selection_.sizes = {{1U << 10}, {std::size_t{1} << 40}};
  const auto made = plan();
  EXPECT_EQ(made.measurements.size(), 1u);
  EXPECT_TRUE(leaves_out(made, "r02", "needs 4 TiB, free "));
}

TEST_F(Planning, CountsTheGapsBetweenRowsAsMemory) {
  selection_.rungs = {"r02"};
  auto made = plan();
  made.measurements.at(0).groups = {Grouping::rows, 1 << 10, 1, std::size_t{1} << 31};
  fit_memory(made);
  EXPECT_TRUE(leaves_out(made, "r02", "needs 8.0 TiB, free "));
}

TEST_F(Planning, FiltersByGoogleBenchmarksRules) {
  selection_.filter = "r0[24]";
  EXPECT_EQ(names().size(), 2u);
  selection_.filter = "-r0[24]";
  for (const auto& name : names()) EXPECT_EQ(name.find("/r02"), std::string::npos);
  selection_.filter = "(";
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, GivesAUsersPeakToTheDeviceThatWasMeant) {
  selection_.peaks = {{"fake", 123}};
  EXPECT_EQ(plan().devices[0].peak.gbs, 123);
  selection_.peaks = {{"", 123}};  // without a name: the CPU's, and there is none
  EXPECT_THROW(plan(), UsageError);
  selection_.peaks = {{"nobody", 123}};
  EXPECT_THROW(plan(), UsageError);
}

TEST_F(Planning, HasOneDeviceForTheBackendsThatShareIt) {
  backends_.push_back(fake::make_backend("another model"));
  backends_.push_back(fake::make_serial());
  const auto made = plan();
  ASSERT_EQ(made.devices.size(), 2u);
  EXPECT_EQ(made.devices[0].backends, (std::vector{made.backends[0], made.backends[1]}));
  EXPECT_EQ(made.devices[1].backends, std::vector{made.backends[2]});
}

}  // namespace
}  // namespace ladder::bench
