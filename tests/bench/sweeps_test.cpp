// The tables of sweeps as the program prints them, over a fake device whose times are always
// the same.

#include <string>

#include <gtest/gtest.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

Outcome sweep(const std::string& arguments) {
  return run("--samples=2 --scope=kernel " + arguments);
}

/// The lines below a title, up to the next empty one; what was printed where there is no such
/// title.
std::string below(const Outcome& outcome, const std::string& title) {
  const auto start = outcome.text.find("\n" + title + "\n");
  if (start == std::string::npos) return "no '" + title + "' in:\n" + outcome.text;
  const auto from = start + title.size() + 2;
  return "\n" + outcome.text.substr(from, outcome.text.find("\n\n", from) - from + 1);
}

void expect_lacks(const Outcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.text.find(part), std::string::npos) << outcome.text;
}

const std::string sums = "float sum, exact data, cold, kernel scope";
const std::string by_n = sums + ": GB/s by n";
const std::string in_full = "the best tuning of each rung";

/// The title of a sweep's matrix of GB/s that is not over sizes.
std::string by(const std::string& problem, const std::string& axis) {
  return problem + ": GB/s by " + axis + ", * the best of its row";
}

TEST(Sweep, IsAMatrixWithTheBestOfEachRowMarked) {
  const auto outcome = sweep("--rungs=r11,r12,lib --block=64..256 --sizes=2^20");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_EQ(below(outcome, by(sums + ", n = 2^20 (4 MiB)", "block")), R"(
backend  rung                64    128    256   no block
fake     r11_grid_stride   49.3   59.2*  49.3
fake     r12_warp_shuffle  53.3   64.0*  53.3
fake     library_fake                               78.5
)") << "the grid follows the block, and where there is no choice nothing is marked";
  EXPECT_EQ(below(outcome, sums + ", n = 2^20 (4 MiB): % of the ceiling by block, "
                                  "* the best of its row"),
            R"(
backend  rung                64    128    256   no block
fake     r11_grid_stride   59.2   71.0*  59.2
fake     r12_warp_shuffle  64.0   76.8*  64.0
fake     library_fake                               94.2
)");
}

TEST(Sweep, IsFollowedByTheBestTuningOfEachRungAtTheLargestSize) {
  const auto outcome = sweep("--rungs=r02,r12 --block=64..256 --sizes=2^18,2^20");
  const auto full = below(outcome, sums + ", n = 2^20 (4 MiB), " + in_full);
  EXPECT_NE(full.find("r02_interleaved_divergent"), std::string::npos) << full;
  EXPECT_NE(full.find("b128 g64"), std::string::npos) << full;
  EXPECT_EQ(full.find("b256"), std::string::npos) << full;
  expect_says(outcome, by(sums + ", n = 2^18 (1 MiB)", "block"));
  expect_says(outcome, by(sums + ", n = 2^20 (4 MiB)", "block"));
  expect_lacks(outcome, "n = 2^18 (1 MiB), " + in_full);
}

TEST(Sweep, ShowsAWrongResultInItsCellAndNeverAsTheBest) {
  const auto outcome = sweep("--rungs=wrong_at_64 --block=64..256 --sizes=2^16");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(below(outcome, by(sums + ", n = 2^16 (256 KiB)", "block")), R"(
backend  rung                64    128    256
fake     wrong_at_64  WRONG 2/2   69.7*  69.7
)");
  const auto full = below(outcome, sums + ", n = 2^16 (256 KiB), " + in_full);
  EXPECT_NE(full.find("b128"), std::string::npos) << full;
  EXPECT_EQ(full.find("WRONG"), std::string::npos) << full;
  expect_says(outcome, "ERROR reduce/fake/wrong_at_64/f32/sum/n:65536/block:64/");
}

TEST(Sweep, ShowsARungOfWhichNoTuningIsRight) {
  const auto outcome = sweep("--rungs=r02,wrong --block=64,128 --sizes=2^16");
  EXPECT_EQ(outcome.status, 1);
  const auto full = below(outcome, sums + ", n = 2^16 (256 KiB), " + in_full);
  EXPECT_NE(full.find("WRONG 2/2"), std::string::npos) << full;
}

TEST(Sweep, HasTheAxisWithTheMostValuesAcrossAndTheOthersAsTuning) {
  const auto outcome = sweep("--rungs=r11 --block=64..256 --grid=4x,8x --sizes=2^20");
  EXPECT_EQ(below(outcome, by(sums + ", n = 2^20 (4 MiB)", "block")), R"(
backend  rung             tuning    64    128    256
fake     r11_grid_stride  g16     45.5   49.3*  45.5
fake     r11_grid_stride  g32     49.3   53.8*  49.3
)");
  const auto tie = sweep("--rungs=r11 --block=64,128 --grid=4x,8x --sizes=2^20");
  EXPECT_EQ(below(tie, by(sums + ", n = 2^20 (4 MiB)", "grid")), R"(
backend  rung             tuning    16     32
fake     r11_grid_stride  b64     45.5   49.3*
fake     r11_grid_stride  b128    49.3   53.8*
)");
}

TEST(Sweep, WritesSeveralOtherAxesAsTheTableDoes) {
  const auto outcome = sweep("--rungs=r11 --block=64,128 --grid=4x,8x --sizes=2^16..2^19");
  EXPECT_EQ(below(outcome, by_n), R"(
backend  rung             tuning    2^16  2^17  2^18  2^19
fake     r11_grid_stride  b64 g16   37.6  41.4  43.7  44.9
fake     r11_grid_stride  b64 g32   40.7  44.9  47.3  48.6
fake     r11_grid_stride  b128 g16  40.7  44.9  47.3  48.6
fake     r11_grid_stride  b128 g32  44.4  48.9  51.6  53.0
)");
}

TEST(Sweep, LeavesTheCellsOfWhatCannotBeHadEmpty) {
  const auto outcome = sweep("--rungs=r07 --block=64,1024 --items=32..128 --sizes=2^16");
  EXPECT_EQ(below(outcome, by(sums + ", n = 2^16 (256 KiB)", "items")), R"(
backend  rung           tuning    32     64    128
fake     r07_coarsened  b64     35.0*  32.3   30.0
fake     r07_coarsened  b1024   30.0*  28.0
)");
}

TEST(Sweep, OfSizesBeginsAtFourOfThemAndMarksNothing) {
  const auto four = sweep("--rungs=r11,lib --sizes=2^10..2^13");
  EXPECT_EQ(below(four, by_n), R"(
backend  rung             2^10  2^11  2^12  2^13
fake     r11_grid_stride  2.56  5.15  9.90  17.7
fake     library_fake     3.90  7.43  13.6  23.2
)") << "the grid follows n, and is no tuning";
  expect_says(four, sums + ": % of the ceiling by n\n");
  expect_says(four, sums + ", n = 2^13 (32 KiB)\n");
  expect_lacks(four, in_full);
  const auto three = sweep("--rungs=r11,lib --sizes=2^10..2^12");
  expect_lacks(three, " by n");
  expect_says(three, sums + ", n = 2^10 (4 KiB)\n");
  expect_says(three, sums + ", n = 2^12 (16 KiB)\n");
}

TEST(Sweep, OfSizesAndTuningsHasTheSizesAcrossUnlessTheTuningsAreMore) {
  const auto tie = sweep("--rungs=r12 --block=32..256 --sizes=2^10..2^13");
  EXPECT_EQ(below(tie, by_n), R"(
backend  rung              tuning  2^10  2^11  2^12  2^13
fake     r12_warp_shuffle  b32     2.96  6.06  10.1  15.6
fake     r12_warp_shuffle  b64     2.96  6.06  11.9  18.2
fake     r12_warp_shuffle  b128    2.96  6.06  11.9  21.8
fake     r12_warp_shuffle  b256    2.57  5.20  10.1  18.2
)");
  const auto full = below(tie, sums + ", n = 2^13 (32 KiB)");
  for (const auto* block : {"b32 ", "b64 ", "b128 ", "b256 "})
    EXPECT_NE(full.find(block), std::string::npos) << "all of the largest size in full: " << full;
  const auto more = sweep("--rungs=r02 --block=32..256,1024 --sizes=2^10..2^13");
  EXPECT_EQ(below(more, by(sums, "block")), R"(
backend  rung                       tuning    32     64    128    256   1024
fake     r02_interleaved_divergent  n=2^10  2.91*  2.91   2.91   2.91   2.91
fake     r02_interleaved_divergent  n=2^11  4.50*  4.50   4.50   4.50   4.50
fake     r02_interleaved_divergent  n=2^12  6.21*  6.21   6.21   6.21   6.21
fake     r02_interleaved_divergent  n=2^13  7.66*  7.66   7.66   7.66   7.66
)");
}

TEST(Sweep, TellsThePlacesOfTheDecidingElementApart) {
  const auto outcome =
      sweep("--rungs=r12 --ops=min --place=first,last --block=64,128 --sizes=2^16");
  EXPECT_EQ(
      below(outcome, by("float min, exact data, cold, kernel scope, n = 2^16 (256 KiB)", "block")),
      R"(
backend  rung              tuning    64    128
fake     r12_warp_shuffle  @first  43.4   52.1*
fake     r12_warp_shuffle  @last   43.4   52.1*
)");
  const auto full =
      below(outcome, "float min, exact data, cold, kernel scope, n = 2^16 (256 KiB), " + in_full);
  EXPECT_NE(full.find("b128 g64 @first"), std::string::npos) << full;
  EXPECT_NE(full.find("b128 g64 @last"), std::string::npos) << full;
}

TEST(Cases, StandSideBySideAtTheEnd) {
  const auto outcome = sweep("--rungs=r02..r06 --sweep=types --ops=sum,max --sizes=1KiB,64KiB");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_EQ(below(outcome, "exact data, cold, kernel scope, 64 KiB: GB/s by type and operation"),
            R"(
backend  rung                       i32 sum  i32 max  i64 sum  i64 max  f32 sum  f32 max  f64 sum  f64 max
fake     r02_interleaved_divergent     8.68     8.68     8.68     8.68     8.68     8.68     8.68     8.68
fake     r04_sequential_addressing     15.3              15.3              15.3              15.3
fake     r06_first_add_on_load         24.8     24.8     24.8     24.8     24.8     24.8     24.8     24.8
)");
  expect_says(outcome,
              "exact data, cold, kernel scope, 64 KiB: % of the ceiling by type and operation\n");
  expect_says(outcome, "double max, exact data, cold, kernel scope, n = 2^13 (64 KiB)\n");
}

TEST(Cases, AreComparedOnlyUnderTheSameConditions) {
  const auto outcome = sweep("--rungs=r02 --ops=sum,min --place=first --cache=both --sizes=2^10");
  const std::string title = "kernel scope, n = 2^10: GB/s by type and operation";
  EXPECT_EQ(below(outcome, "exact data, cold, " + title), R"(
backend  rung                       f32 sum  f32 min @first
fake     r02_interleaved_divergent     2.91            2.91
)");
  expect_says(outcome, "exact data, hot, " + title);
}

TEST(Cases, AreNotComparedWhereThereIsOneOrASweep) {
  expect_lacks(sweep("--rungs=r02 --types=f64 --ops=min --sizes=2^10"), "by type and operation");
  expect_lacks(sweep("--rungs=r02 --ops=sum,min --sizes=2^10 --block=32,64"),
               "by type and operation");
}

}  // namespace
}  // namespace ladder::bench
