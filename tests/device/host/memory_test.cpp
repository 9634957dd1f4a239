#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "common/device/host/host_memory.hpp"

namespace ladder::host {
namespace {

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
