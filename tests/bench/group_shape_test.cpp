#include <numeric>

#include <gtest/gtest.h>

#include "bench/cli/parse.hpp"
#include "bench/plan/plan.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

std::vector<std::string> texts(std::string_view given) {
  std::vector<std::string> all;
  for (const auto& shape : read_shapes(given)) all.push_back(shape.text());
  return all;
}

TEST(GroupShape, IsWrittenAsItIsReadAndARangeDoubles) {
  for (const std::string text :
       {"rows:16", "rows:4096x65536", "columns:64", "columns:300x7/8", "segments:uniform:8..8192",
        "segments:zipf:64", "segments:half:64", "segments:file:offsets.npy"})
    EXPECT_EQ(texts(text), std::vector{text});
  EXPECT_EQ(texts("rows:2^2..2^4"), (std::vector<std::string>{"rows:4", "rows:8", "rows:16"}));
}

TEST(GroupShape, IsRefusedWithAllThatThereAre) {
  for (const auto* text : {"16", "rows:", "rows:0", "rows:4x", "rows:1KiB", "segments:64",
                           "segments:uniform:9", "segments:uniform:9..8", "rows:2x2x2"}) {
    const auto said = tests::refusal_of<UsageError>([&] { read_shapes(text); });
    EXPECT_NE(said.find("rows:ROWSxCOLUMNS"), std::string::npos) << text << ": " << said;
  }
  EXPECT_EQ(tests::refusal_of<UsageError>([] { read_shapes("rows:3x8/7"); }),
            "the pitch is less than a row");
}

TEST(GroupShape, OfRowsAndColumnsTakesWholeRowsOfTheSize) {
  const auto rows = groups_of(read_shapes("rows:16").front(), 1000, 1);
  EXPECT_EQ(rows.n, 992U);
  EXPECT_EQ(rows.groups, (Groups{Grouping::rows, 62, 16, 16}));
  const auto columns = groups_of(read_shapes("columns:300x7/8").front(), 0, 1);
  EXPECT_EQ(columns.n, 2100U);
  EXPECT_EQ(columns.groups, (Groups{Grouping::columns, 7, 300, 8}));
  EXPECT_EQ(columns.groups.extent(columns.n), 299U * 8 + 7);
  EXPECT_EQ(columns.groups.index(6, 299), columns.groups.extent(columns.n) - 1);
}

TEST(GroupShape, OfSegmentsCoversAllElementsByTheLengthsThatWereAsked) {
  for (const auto* text : {"segments:uniform:8..64", "segments:zipf:64", "segments:half:64"}) {
    const auto made = groups_of(read_shapes(text).front(), 100000, 1);
    EXPECT_EQ(made.n, 100000U) << text;
    EXPECT_EQ(made.offsets.size(), made.groups.count + 1) << text;
    std::vector<std::int64_t> lengths(made.offsets.size());
    std::adjacent_difference(made.offsets.begin(), made.offsets.end(), lengths.begin());
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()),
              static_cast<std::int64_t>(made.groups.length))
        << text;
    EXPECT_EQ(made.offsets, groups_of(read_shapes(text).front(), 100000, 1).offsets)
        << "drawn by the seed";
    EXPECT_NE(made.offsets, groups_of(read_shapes(text).front(), 100000, 2).offsets) << text;
  }
  EXPECT_EQ(groups_of(read_shapes("segments:half:64").front(), 100000, 1).groups.length, 50000U);
}

}  // namespace
}  // namespace ladder::bench
