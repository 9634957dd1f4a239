#include "common/device/host/process_limits.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/folder.hpp"
#include "tests/refusal.hpp"

namespace ladder::host {
namespace {

/// Fixture with a fake /proc and /sys.
class Limits : public testing::Test {
 protected:
  void SetUp() override {
    write("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable:    4000 kB\n");
  }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }
  const tests::Folder folder_;
  const std::filesystem::path& root = folder_.path;
};

TEST_F(Limits, of_memory_are_what_is_available_where_no_group_has_one) {
  EXPECT_EQ(free_memory(root), 4000U * 1024);
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/memory.max", "max\n");
  write("sys/fs/cgroup/some/group/memory.current", "12345\n");
  EXPECT_EQ(free_memory(root), 4000U * 1024);
}

TEST_F(Limits, of_memory_are_what_groups_of_version_2_leave_less_what_can_be_dropped) {
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/memory.max", "1000000\n");
  write("sys/fs/cgroup/some/group/memory.current", "600000\n");
  write("sys/fs/cgroup/some/group/memory.stat", "anon 1\ninactive_file 100000\nactive_file 7\n");
  EXPECT_EQ(free_memory(root), 500000U);
  write("sys/fs/cgroup/some/memory.max", "300000\n");
  write("sys/fs/cgroup/some/memory.current", "100000\n");
  EXPECT_EQ(free_memory(root), 200000U) << "the group above";
}

TEST_F(Limits, of_memory_are_what_a_group_of_version_1_leaves) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n0::/\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "900000\n");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "500000\n");
  write("sys/fs/cgroup/memory/box/memory.stat", "inactive_file 1\ntotal_inactive_file 50000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "700000\n");
  EXPECT_EQ(free_memory(root), 450000U);
}

TEST_F(Limits, of_memory_are_at_the_root_where_a_container_shows_only_its_own_group) {
  write("proc/self/cgroup", "4:memory:/docker/0123\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "800000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "900000\n");
  EXPECT_EQ(free_memory(root), 0U);
}

TEST_F(Limits, of_time_are_the_least_quota_of_the_groups) {
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("proc/self/cgroup", "0::/box/job\n");
  write("sys/fs/cgroup/box/job/cpu.max", "max 100000\n");
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("sys/fs/cgroup/box/cpu.max", "150000 100000\n");
  EXPECT_EQ(granted_processors(root), 1.5);
  write("sys/fs/cgroup/box/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(granted_processors(root), 0.5);
}

TEST_F(Limits, of_time_may_be_of_version_1) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n");
  write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(granted_processors(root), std::nullopt);
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(granted_processors(root), 2.0);
}

TEST(RequestedWorkers, are_those_of_the_outermost_region) {
  for (const char* none : {static_cast<const char*>(nullptr), "", "many", "0"})
    EXPECT_EQ(requested_workers(none, 8), std::nullopt);
  EXPECT_EQ(requested_workers("8", 8), 8U);
  EXPECT_EQ(requested_workers(" 4,2", 8), 4U);
}

TEST(RequestedWorkers, are_refused_where_there_are_fewer_processors) {
  for (const std::string too_many : {"9", "99999999999999999999"})
    EXPECT_EQ(tests::refusal_of([&] { requested_workers(too_many.c_str(), 8); }),
              "OMP_NUM_THREADS=" + too_many +
                  " asks for more workers than the 8 processors that may be used here: set it to "
                  "no more, or unset it");
}

TEST(ProcessLimits, are_told_where_it_is_not_the_whole_machine) {
  const ProcessLimits whole{.usable = 8, .cores = 4, .online = 8, .granted = 16.0, .requested = {}};
  EXPECT_EQ(whole.words(), "");
  EXPECT_EQ(whole.workers().count, 4U);
  const ProcessLimits part{.usable = 2, .cores = 2, .online = 8, .granted = 1.5, .requested = {}};
  EXPECT_EQ(part.words(), "2 of 8 processors, a quota of 1.5 processors' time");
  EXPECT_EQ(part.workers().count, 1U);
  const ProcessLimits asked{.usable = 8, .cores = 4, .online = 8, .granted = 1.5, .requested = 6};
  EXPECT_EQ(asked.words(),
            "a quota of 1.5 processors' time, 6 workers by default (OMP_NUM_THREADS)");
  EXPECT_EQ(asked.workers().count, 6U);
  EXPECT_EQ(asked.workers().why, "OMP_NUM_THREADS");
}

}  // namespace
}  // namespace ladder::host
