#include "common/device/host/memory.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// A pretended /proc and /sys.
class Memory : public testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) /
           ("ladder_memory_" +
            std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(root);
    write("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable:    4000 kB\n");
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  fs::path root;
};

TEST_F(Memory, is_what_is_available_where_no_group_limits_it) {
  EXPECT_EQ(total_memory(root), 9000U * 1024);
  EXPECT_EQ(free_memory(root), 4000U * 1024);
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/memory.max", "max\n");
  write("sys/fs/cgroup/some/group/memory.current", "12345\n");
  EXPECT_EQ(free_memory(root), 4000U * 1024);
}

TEST_F(Memory, is_what_a_group_of_version_2_leaves_less_what_can_be_dropped) {
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/memory.max", "1000000\n");
  write("sys/fs/cgroup/some/group/memory.current", "600000\n");
  write("sys/fs/cgroup/some/group/memory.stat", "anon 1\ninactive_file 100000\nactive_file 7\n");
  EXPECT_EQ(free_memory(root), 500000U);
}

TEST_F(Memory, is_limited_by_the_groups_above_too) {
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/memory.max", "1000000\n");
  write("sys/fs/cgroup/some/group/memory.current", "0\n");
  write("sys/fs/cgroup/some/memory.max", "300000\n");
  write("sys/fs/cgroup/some/memory.current", "100000\n");
  EXPECT_EQ(free_memory(root), 200000U);
}

TEST_F(Memory, is_what_a_group_of_version_1_leaves) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n0::/\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "900000\n");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "500000\n");
  write("sys/fs/cgroup/memory/box/memory.stat", "inactive_file 1\ntotal_inactive_file 50000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "700000\n");
  EXPECT_EQ(free_memory(root), 450000U);
}

TEST_F(Memory, is_looked_up_at_the_root_where_a_container_shows_only_its_own_group) {
  write("proc/self/cgroup", "4:memory:/docker/0123\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "800000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "900000\n");
  EXPECT_EQ(free_memory(root), 0U);
}

TEST(Mapping, says_what_is_needed_and_what_is_free) {
  try {
    (void)map_memory(std::size_t{1} << 50);
    ADD_FAILURE() << "a pebibyte was had";
  } catch (const NotPossible& refusal) {
    EXPECT_TRUE(std::string(refusal.what()).starts_with("needs 1048576 GiB, free "))
        << refusal.what();
  }
}

TEST(Mapping, is_aligned_and_zero) {
  for (const std::size_t bytes : {0U, 1U, 4097U, 1000000U}) {
    const auto buffer = map_memory(bytes);
    EXPECT_EQ(buffer->bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 4096, 0U);
    EXPECT_TRUE(bytes == 0 || buffer->data()[bytes - 1] == std::byte{0});
  }
}

TEST(Mapping, begins_at_a_large_page_where_it_has_room_for_one) {
  constexpr std::size_t large = std::size_t{2} << 20;
  for (const std::size_t bytes : {large, large + 1, 3 * large - 1}) {
    const auto buffer = map_memory(bytes);
    EXPECT_EQ(buffer->bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % large, 0U) << bytes;
    buffer->data()[0] = buffer->data()[bytes - 1] = std::byte{1};
    EXPECT_NO_THROW((void)map_memory(bytes, PageSize::small));
  }
}

TEST(Pages, are_as_the_environment_asks) {
  const auto asked = [](const char* words) {
    setenv("LADDER_PAGES", words, 1);
    const PageSize pages = pages_asked_for();
    unsetenv("LADDER_PAGES");
    return pages;
  };
  unsetenv("LADDER_PAGES");
  EXPECT_EQ(pages_asked_for(), PageSize::large);
  EXPECT_EQ(asked("large"), PageSize::large);
  EXPECT_EQ(asked("small"), PageSize::small);
  EXPECT_THROW(asked("medium"), NotPossible);
  unsetenv("LADDER_PAGES");
}

}  // namespace
}  // namespace ladder::host
