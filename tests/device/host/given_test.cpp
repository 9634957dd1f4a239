#include "common/device/host/given.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// A pretended /proc and /sys.
class GivenPart : public testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) /
           ("ladder_given_" +
            std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(root);
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  fs::path root;
};

TEST_F(GivenPart, is_of_the_processors_that_are_online) {
  EXPECT_EQ(online_processors(root), 0U) << "not told";
  write("sys/devices/system/cpu/online", "0-3,8,10-11\n");
  EXPECT_EQ(online_processors(root), 7U);
  EXPECT_GE(online_processors(), 1U);
}

TEST_F(GivenPart, has_the_least_quota_of_its_groups) {
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("proc/self/cgroup", "0::/box/job\n");
  write("sys/fs/cgroup/box/job/cpu.max", "max 100000\n");
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("sys/fs/cgroup/box/cpu.max", "150000 100000\n");
  EXPECT_EQ(granted_processors(root), 1.5);
  write("sys/fs/cgroup/box/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(granted_processors(root), 0.5);
}

TEST_F(GivenPart, has_a_quota_of_version_1_too) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n");
  write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(granted_processors(root), 2.0);
}

TEST(RequestedWorkers, are_those_of_the_outermost_region) {
  EXPECT_EQ(requested_workers(nullptr, 8), std::nullopt);
  EXPECT_EQ(requested_workers("", 8), std::nullopt);
  EXPECT_EQ(requested_workers("many", 8), std::nullopt);
  EXPECT_EQ(requested_workers("0", 8), std::nullopt);
  EXPECT_EQ(requested_workers("8", 8), 8U);
  EXPECT_EQ(requested_workers(" 4,2", 8), 4U);
}

TEST(RequestedWorkers, are_refused_where_there_are_fewer_processors) {
  for (const auto* too_many : {"9", "99999999999999999999"}) {
    try {
      requested_workers(too_many, 8);
      ADD_FAILURE() << too_many;
    } catch (const NotPossible& refusal) {
      EXPECT_EQ(refusal.what(), "OMP_NUM_THREADS=" + std::string(too_many) +
                                    " asks for more workers than the 8 processors that may be "
                                    "used here: set it to no more, or unset it");
    }
  }
}

TEST(Given, is_told_where_it_is_not_the_whole_machine) {
  const Given whole{.usable = 8, .cores = 4, .online = 8, .granted = {}, .requested = {}};
  EXPECT_EQ(whole.words(), "");
  EXPECT_EQ(whole.workers().count, 4U);
  const Given unknown{.usable = 8, .cores = 4, .online = 0, .granted = 16.0, .requested = {}};
  EXPECT_EQ(unknown.words(), "");
  EXPECT_EQ(unknown.workers().count, 4U);
  const Given part{.usable = 2, .cores = 2, .online = 8, .granted = 1.5, .requested = {}};
  EXPECT_EQ(part.words(), "2 of 8 processors, a quota of 1.5 processors' time");
  EXPECT_EQ(part.workers().count, 1U);
  const Given asked{.usable = 8, .cores = 4, .online = 8, .granted = 1.5, .requested = 6};
  EXPECT_EQ(asked.words(),
            "a quota of 1.5 processors' time, 6 workers by default (OMP_NUM_THREADS)");
  EXPECT_EQ(asked.workers().count, 6U);
  EXPECT_EQ(asked.workers().why, "OMP_NUM_THREADS");
}

}  // namespace
}  // namespace ladder::host
