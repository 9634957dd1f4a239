#include "common/device/host/disturbances.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/folder.hpp"

namespace ladder::host {
namespace {

using namespace std::chrono_literals;

class Made : public testing::Test {
 protected:
  void SetUp() override { say(0, 0); }
  void say(long waited, long stolen) const {
    std::ofstream(stat()) << "cpu  1 2 3 4 5 6 7 " << stolen << " 0 0\ncpu0 1\n";
    std::ofstream(schedstat()) << "1 " << waited << " 1\n";
  }
  std::string stat() const { return folder_.path / "stat"; }
  std::string schedstat() const { return folder_.path / "schedstat"; }
  const tests::Folder folder_;
};

TEST_F(Made, AHundredthOfTheTimeIsADisturbanceAndLessIsNot) {
  Disturbances of(2, stat(), schedstat());
  const Disturbances::Clock::time_point start{};
  EXPECT_EQ(of.since_last(start), "") << "the first look";
  say(900'000, 0);
  EXPECT_EQ(of.since_last(start + 100ms), "") << "0.9 ms of 100";
  say(2'000'000, 0);
  EXPECT_EQ(of.since_last(start + 200ms), "a thread waited for its CPU") << "1.1 ms of 100";
  EXPECT_EQ(of.since_last(start + 300ms), "") << "not told twice";
  say(2'040'000, 0);
  EXPECT_EQ(of.since_last(start + 301ms), "") << "as long as it takes to be moved to a place";
}

TEST_F(Made, TicksThatAreStolenAreLookedAtTenTimesASecond) {
  Disturbances of(2, stat(), schedstat());
  const Disturbances::Clock::time_point start{};
  EXPECT_EQ(of.since_last(start), "");
  say(0, 1);
  EXPECT_EQ(of.since_last(start + 50ms), "") << "too early";
  EXPECT_EQ(of.since_last(start + 100ms), "another machine took a CPU") << "1 of 20 ticks";
  EXPECT_EQ(of.since_last(start + 200ms), "");
}

TEST(Disturbances, WhereTheKernelTellsNothingThereAreNone) {
  Disturbances of(2, "/nowhere", "/nowhere");
  EXPECT_EQ(of.since_last(), "");
  EXPECT_EQ(of.since_last(), "");
}

}  // namespace
}  // namespace ladder::host
