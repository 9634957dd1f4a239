#include "common/ladder.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "common/model/roster.hpp"

namespace ladder {
namespace {

struct Nowhere {};
using NoEntry = Entry<Nowhere>;
Run<Nowhere> nothing(Type, Operation) { return nullptr; }

constexpr std::array two{Rung{"r00", "first", "", "", ""}, Rung{"r01", "second", "r00", "", ""}};
static_assert(complete(std::array{NoEntry{"r00", nothing}, NoEntry{"r01", "a reason"}}, two));
static_assert(!complete(std::array{NoEntry{"r00", nothing}}, two), "a rung is missing");
static_assert(!complete(std::array{NoEntry{"r01", nothing}, NoEntry{"r00", nothing}}, two),
              "out of order");
static_assert(!complete(std::array{NoEntry{"r00", nothing}, NoEntry{"r01", ""}}, two),
              "absent without a reason");
static_assert(!std::is_default_constructible_v<NoEntry>);

template <std::size_t size>
void expect_sound(const std::array<Rung, size>& ladder) {
  std::set<std::string> ids, slugs;
  for (const auto& rung : ladder) {
    EXPECT_TRUE(ids.insert(std::string(rung.id)).second) << rung.id;
    EXPECT_TRUE(slugs.insert(std::string(rung.slug)).second) << rung.slug;
    EXPECT_FALSE(rung.idea.empty()) << rung.id;
    EXPECT_FALSE(rung.sources.empty()) << rung.id;
    EXPECT_TRUE(rung.base.empty() || (rung.base != rung.id && ids.contains(std::string(rung.base))))
        << rung.id << " stands on " << rung.base << ", which does not come before it";
  }
}

TEST(Ladder, HasUniqueNamesAndBasesThatComeFirst) {
  expect_sound(device_ladder);
  expect_sound(cpu_ladder);
  expect_sound(several_ladder);
}

/// Float sums of these rungs may flush subnormal numbers, and add results in any order.
TEST(Ladder, HasAtomicUpdatesInTheseRungsAlone) {
  std::set<std::string_view> ids;
  for (const Rung& rung : device_ladder) {
    if ((rung.traits & atomic_updates) != 0) ids.insert(rung.id);
  }
  EXPECT_EQ(ids, (std::set<std::string_view>{"r00", "r01", "r13", "r14", "r18"}));
}

TEST(Ladder, SaysWhatADeviceOrItsCodeLacks) {
  DeviceFacts facts;
  EXPECT_EQ(lacking({}, facts), "");
  EXPECT_EQ(lacking({90, "clusters"}, facts),
            "needs compute capability 9.0 (clusters), this device has none");
  facts.capability = facts.code_capability = 80;
  EXPECT_EQ(lacking({80, "copies"}, facts), "");
  EXPECT_EQ(lacking({90, "clusters"}, facts),
            "needs compute capability 9.0 (clusters), this GPU has 8.0");
  facts.capability = 120;  // newer than any code in the build
  EXPECT_EQ(lacking({90, "clusters"}, facts),
            "needs compute capability 9.0 (clusters), this GPU has 12.0, but the code for it is "
            "compiled for 8.0: see CMAKE_CUDA_ARCHITECTURES");
  facts.code_capability = 120;
  EXPECT_EQ(lacking({90, "clusters"}, facts), "");
}

TEST(Ladder, NamesRungsByIdAndSlug) {
  EXPECT_EQ(full_name(device_ladder[4]), "r04_sequential_addressing");
  EXPECT_EQ(full_name(Rung{"library_cub", "", "", "", ""}), "library_cub");
}

}  // namespace
}  // namespace ladder
