// Parsing of user input: sizes, devices, axes and shapes, and the groups that shapes give for a
// number of elements.

#include <numeric>

#include <gtest/gtest.h>

#include "bench/cli/selection.hpp"
#include "bench/plan/plan.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

/// Returns why `read` refuses the text; empty if it accepts it.
template <class Read>
std::string refusal(Read read, std::string_view text) {
  return tests::refusal_of<UsageError>([&] { read(text); });
}

std::vector<std::size_t> amounts(std::string_view text) {
  std::vector<std::size_t> values;
  for (const auto& size : read_sizes(text)) values.push_back(size.amount);
  return values;
}

TEST(Sizes, ArePowersNumbersAndBytes) {
  EXPECT_EQ(amounts("2^10"), std::vector<std::size_t>{1024});
  EXPECT_EQ(amounts("1000003"), std::vector<std::size_t>{1000003});
  EXPECT_EQ(amounts("0"), std::vector<std::size_t>{0});
  EXPECT_EQ(read_sizes("256MiB").at(0).elements(Type::f32), std::size_t{64} << 20);
  EXPECT_EQ(read_sizes("1GB").at(0).elements(Type::f64), 125000000U);
  EXPECT_EQ(amounts("1^18446744073709551615"), std::vector<std::size_t>{1}) << "and in no time";
  EXPECT_EQ(amounts("0^18446744073709551615"), std::vector<std::size_t>{0});
}

TEST(Sizes, DoubleThroughARange) {
  EXPECT_EQ(amounts("2^4..2^7"), (std::vector<std::size_t>{16, 32, 64, 128}));
  EXPECT_EQ(amounts("3..13"), (std::vector<std::size_t>{3, 6, 12}));
  EXPECT_EQ(amounts("3..11"), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(amounts("1MiB..4MiB"), (std::vector<std::size_t>{1 << 20, 2 << 20, 4 << 20}));
  EXPECT_EQ(amounts("2^59..2^60").size(), 2U);
  EXPECT_EQ(amounts("7..7"), std::vector<std::size_t>{7});
}

TEST(Sizes, AreRefusedWithTheReason) {
  for (const auto* wrong :
       {"", "x", "2^", "^3", "-4", "1.5", "12MB3", "2^10..", "..2^10", "1..2..3"})
    EXPECT_EQ(refusal(read_sizes, wrong),
              "expected elements (1000003, 2^20) or bytes (256MiB, 1GB)")
        << wrong;
  for (const auto* wrong : {"2^61", "2^64", "17179869184GiB"})
    EXPECT_EQ(refusal(read_sizes, wrong), "too large a number") << wrong;
  EXPECT_NE(refusal(read_sizes, "99999999999999999999"), "");
  for (const auto* wrong : {"0..8", "8..4"})
    EXPECT_NE(refusal(read_sizes, wrong).find("a range goes from"), std::string::npos) << wrong;
  EXPECT_NE(refusal(read_sizes, "1..2MiB").find("the same unit"), std::string::npos);
}

TEST(Devices, AreNumbersAndRangesWithAllBetweenTheirEnds) {
  EXPECT_EQ(read_devices("0"), std::vector{0});
  EXPECT_EQ(read_devices("0..3"), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(read_devices("all"), std::vector{every_device});
  for (const auto* wrong : {"", "a", "-1", "1..", "..1", "3..1", "0...2", "5000"})
    EXPECT_NE(refusal(read_devices, wrong).find("0..7"), std::string::npos) << wrong;
}

const Axis& the_block = tuning_axes[0];
const Axis& the_grid = tuning_axes[1];
const Axis& shares = tuning_axes[4];

std::string refusal_of(const Axis& axis, std::string_view text) {
  return refusal([&](std::string_view one) { read_axis(axis, one); }, text);
}

TEST(Axes, TakeWhatTheirTableSays) {
  EXPECT_EQ(read_axis(the_block, "32..128"), (std::vector<AxisValue>{{32}, {64}, {128}}));
  EXPECT_EQ(read_axis(shares, "3"), std::vector<AxisValue>{{3}});
  for (const auto* wrong : {"48", "16", "2048", "4x"})
    EXPECT_EQ(refusal_of(the_block, wrong), "expected a power of two from 32 to 1024") << wrong;
  for (const auto* wrong : {"0", "4097", "4GiB", "4x"})
    EXPECT_EQ(refusal_of(shares, wrong), "expected a whole number from 1 to 4096") << wrong;
}

TEST(Axes, AreOfNumbersOrOfNumbersPerSm) {
  EXPECT_EQ(read_axis(the_grid, "512"), std::vector<AxisValue>{{512}});
  EXPECT_EQ(read_axis(the_grid, "1x..4x"),
            (std::vector<AxisValue>{{1, true}, {2, true}, {4, true}}));
  for (const auto* wrong : {"x", "0x", "0", "4y", "x4", "4xx", "-1x", "1.5x", "1MiBx", "4KiB"})
    EXPECT_NE(refusal_of(the_grid, wrong).find("(4x)"), std::string::npos) << wrong;
  EXPECT_EQ(refusal_of(the_grid, "4294967296x"), "too large a number");
  for (const auto* mixed : {"1..4x", "1x..4"})
    EXPECT_NE(refusal_of(the_grid, mixed).find("the same unit"), std::string::npos) << mixed;
}

std::vector<std::string> texts(std::string_view given) {
  std::vector<std::string> all;
  for (const auto& shape : read_shapes(given)) all.push_back(shape.text);
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
  EXPECT_EQ(tests::refusal_of<NotPossible>(
                [] { groups_of(read_shapes("segments:uniform:1..1").front(), 1UL << 50, 1); }),
            "the offsets of 1125899906842624 segments do not fit in memory");
}

TEST(GroupShape, IsRefusedWhereItsBytesCannotBeCounted) {
  for (const auto* text : {"rows:2^31x2^31", "columns:2^31x1/2^31", "rows:1/2^31"})
    EXPECT_NE(
        tests::refusal_of<NotPossible>([&] { groups_of(read_shapes(text).front(), 1UL << 50, 1); }),
        "")
        << text;
}

TEST(GroupShape, IsRefusedWhereThereIsNoGroup) {
  for (const auto& [text, n, words] :
       {std::tuple{"rows:16", 15UL, "15 elements are less than a row"},
        std::tuple{"segments:uniform:1..3", 0UL, "no elements make no segments"}})
    EXPECT_EQ(tests::refusal_of<NotPossible>([&] { groups_of(read_shapes(text).front(), n, 1); }),
              words);
}

}  // namespace
}  // namespace ladder::bench
