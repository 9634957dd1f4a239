#include "common/accounting.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace ladder {
namespace {

/// Two passes over 1000 elements of 4 bytes in blocks of 256: four results, then one.
Footprint two_passes() {
  Footprint footprint;
  footprint.launches = {{{4000, 16, 10}, 4, 256, {}}, {{16, 4, 2}, 1, 256, {}}};
  return footprint;
}

TEST(Accounting, CountsWhatEachPassReadsAndWrites) {
  EXPECT_EQ(two_passes().moved_bytes(), 4036U);
  EXPECT_EQ(two_passes().depth(), 12U) << "the second pass goes on where the first has ended";
  EXPECT_EQ(Footprint().moved_bytes(), 0U);
}

TEST(Accounting, TakesTheLaunchThatMovesTheMostForTheMainOne) {
  auto footprint = two_passes();
  EXPECT_EQ(footprint.main()->grid, 4U);
  std::swap(footprint.launches[0], footprint.launches[1]);
  EXPECT_EQ(footprint.main()->grid, 4U);
  EXPECT_EQ(Footprint().main(), nullptr);
}

TEST(Accounting, CoversEachElementWithABlock) {
  EXPECT_EQ(blocks_for(0, 256), 1U);
  EXPECT_EQ(blocks_for(1, 256), 1U);
  EXPECT_EQ(blocks_for(256, 256), 1U);
  EXPECT_EQ(blocks_for(257, 256), 2U);
  EXPECT_EQ(blocks_for(1000, 256), 4U);
  EXPECT_EQ(blocks_for(1000, 256, 3), 3U) << "a grid that walks the array";
}

}  // namespace
}  // namespace ladder
