#include "common/device/amd/peaks.hpp"

#include <tuple>

#include <gtest/gtest.h>

namespace ladder::amd {
namespace {

TEST(AmdPeaks, are_found_by_the_last_words_of_a_name) {
  EXPECT_EQ(sheet_of("AMD Instinct MI300X")->peak_gbs, 5300);
  EXPECT_EQ(sheet_of("AMD Radeon RX 7900 XT")->peak_gbs, 800);
  EXPECT_EQ(sheet_of("AMD Radeon RX 7900 XTX")->peak_gbs, 960);
  EXPECT_FALSE(sheet_of("AMD Instinct MI300X VF"));
  EXPECT_FALSE(sheet_of("AMD Instinct XMI300X"));
  EXPECT_FALSE(sheet_of("MI300X"));
  EXPECT_FALSE(sheet_of(""));
}

TEST(AmdPeaks, are_what_memory_clock_and_bus_give_where_both_are_published) {
  for (const auto& [name, gigatransfers, bits] :
       {std::tuple{"AMD Instinct MI100", 2.4, 4096}, std::tuple{"AMD Instinct MI210", 3.2, 4096},
        std::tuple{"AMD Radeon RX 7900 XTX", 20., 384},
        std::tuple{"AMD Radeon RX 6900 XT", 16., 256}}) {
    EXPECT_NEAR(sheet_of(name)->peak_gbs, gigatransfers * bits / 8, 1e-9) << name;
  }
}

}  // namespace
}  // namespace ladder::amd
