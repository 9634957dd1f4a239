#include "bench/cli/parse.hpp"

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

std::vector<std::size_t> amounts(std::string_view list) {
  std::vector<std::size_t> values;
  for (const auto& size : parse_sizes("--sizes", list)) values.push_back(size.amount);
  return values;
}

std::string refusal_of(std::string_view list) {
  try {
    parse_sizes("--sizes", list);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Sizes, ArePowersNumbersAndBytes) {
  EXPECT_EQ(amounts("2^10,1000003,0"), (std::vector<std::size_t>{1024, 1000003, 0}));
  const auto bytes = parse_sizes("--sizes", "256MiB,1GB");
  EXPECT_EQ(bytes[0].elements(Type::f32), std::size_t{64} << 20);
  EXPECT_EQ(bytes[1].elements(Type::f64), 125000000u);
}

TEST(Sizes, DoubleThroughARange) {
  EXPECT_EQ(amounts("2^4..2^7"), (std::vector<std::size_t>{16, 32, 64, 128}));
  EXPECT_EQ(amounts("3..13"), (std::vector<std::size_t>{3, 6, 12}));
  EXPECT_EQ(amounts("1MiB..4MiB,2MiB"), (std::vector<std::size_t>{1 << 20, 2 << 20, 4 << 20}));
  EXPECT_EQ(amounts("2^59..2^60").size(), 2u);
  EXPECT_EQ(amounts("3..11"), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(amounts("7..7"), (std::vector<std::size_t>{7}));
}

TEST(Sizes, AreRefusedWithTheReason) {
  for (const auto* wrong :
       {"", "x", "2^", "^3", "-4", "1.5", "12MB3", "2^61", "2^64", "99999999999999999999",
        "17179869184GiB", "1,,2", "0..8", "8..4", "1..2..3", "1..2MiB"}) {
    EXPECT_NE(refusal_of(wrong).find("--sizes"), std::string::npos) << wrong;
  }
  EXPECT_NE(refusal_of("12x").find("12x"), std::string::npos);
}

TEST(Sizes, ArePowersOfOneInNoTime) {
  EXPECT_EQ(amounts("1^18446744073709551615,0^18446744073709551615"),
            (std::vector<std::size_t>{1, 0}));
}

TEST(Sizes, AreQuotedAsTheyWereTyped) {
  const std::string expected = "expected elements (1000003, 2^20) or bytes (256MiB, 1GB)";
  EXPECT_EQ(refusal_of("2^10.."), "--sizes=2^10..: " + expected);
  EXPECT_EQ(refusal_of("..2^10"), "--sizes=..2^10: " + expected);
  EXPECT_EQ(refusal_of("2^10,4..many"), "--sizes=2^10,4..many: '4..many': " + expected);
  EXPECT_EQ(refusal_of("1,,2"), "--sizes=1,,2: a list has an empty part");
}

const Axis& the_block = tuning_axes[0];
const Axis& the_grid = tuning_axes[1];
const Axis& workers = tuning_axes[3];

std::string refusal_of(const Axis& axis, std::string_view list) {
  try {
    parse_axis(axis, list);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_devices(std::string_view list) {
  try {
    parse_devices("--devices", list);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Devices, AreNumbersAndRangesWithAllBetweenTheirEnds) {
  EXPECT_EQ(parse_devices("--devices", "0"), (std::vector{0}));
  EXPECT_EQ(parse_devices("--devices", "0..3"), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(parse_devices("--devices", "2,0"), (std::vector{2, 0}));
  EXPECT_EQ(parse_devices("--devices", "all"), (std::vector{every_device}));
  EXPECT_EQ(parse_devices("--devices", "1,1,0..0"), (std::vector{1, 1, 0}));
  for (const auto* wrong : {"", ",", "a", "-1", "1..", "..1", "3..1", "0...2", "5000"})
    EXPECT_NE(refusal_of_devices(wrong), "") << wrong;
  EXPECT_NE(refusal_of_devices("0,x").find("0..7"), std::string::npos);
}

TEST(Axes, TakeWhatTheirTableSays) {
  EXPECT_EQ(parse_axis(the_block, "32..128"), (std::vector<AxisValue>{{32}, {64}, {128}}));
  EXPECT_EQ(parse_axis(workers, "1,3"), (std::vector<AxisValue>{{1}, {3}}));
  for (const auto* wrong : {"48", "16", "2048", "4x"})
    EXPECT_NE(refusal_of(the_block, wrong), "") << wrong;
  for (const auto* wrong : {"0", "4GiB", "4x"}) EXPECT_NE(refusal_of(workers, wrong), "") << wrong;
}

TEST(Axes, AreOfNumbersOrOfNumbersPerSm) {
  EXPECT_EQ(parse_axis(the_grid, "512,4x,4,4x"), (std::vector<AxisValue>{{512}, {4, true}, {4}}));
  EXPECT_EQ(parse_axis(the_grid, "1x..8x,2^2..8"),
            (std::vector<AxisValue>{{1, true}, {2, true}, {4, true}, {8, true}, {4}, {8}}));
}

TEST(Axes, AreRefusedWithWhatWasGivenAndWhatWouldBeValid) {
  for (const auto* wrong : {"x", "0x", "0", "4y", "x4", "4xx", "-1x", "1.5x", "1MiBx", "4KiB"}) {
    const auto text = refusal_of(the_grid, wrong);
    EXPECT_TRUE(text.starts_with(std::string("--grid=") + wrong + ": ")) << wrong << "\n" << text;
    EXPECT_NE(text.find("(4x)"), std::string::npos) << text;
  }
  EXPECT_NE(refusal_of(the_grid, "4294967296x").find("too large"), std::string::npos);
  EXPECT_NE(refusal_of(the_grid, "8x..4x").find("a range goes from"), std::string::npos);
  for (const auto* mixed : {"1..4x", "1x..4"})
    EXPECT_NE(refusal_of(the_grid, mixed).find("x behind them"), std::string::npos) << mixed;
  EXPECT_NE(refusal_of(the_grid, "4x,,8x").find("empty part"), std::string::npos);
}

TEST(Nearest, NamesTheLikeliestFirst) {
  const std::vector<std::string> many{"r00", "r01", "r02", "r03", "r04",
                                      "r05", "r06", "r15", "r16", "library_cub"};
  EXPECT_NE(nearest("r1", many).find("r15"), std::string::npos) << nearest("r1", many);
  EXPECT_NE(nearest("library_cup", many).find("did you mean library_cub"), std::string::npos);
  EXPECT_EQ(nearest("R04", many).find("did you mean r04, "), 0U) << nearest("R04", many);
  EXPECT_EQ(nearest("xyz", many).find("choose from "), 0U) << "three letters off: another word";
  EXPECT_EQ(nearest("frobnicate", many),
            "choose from r00, r01, r02, r03, r04, r05, r06, r15, r16, library_cub");
  const std::vector<std::string> begins{"abcdefgh", "ax", "b", "c", "d", "e", "f", "g", "h"};
  EXPECT_EQ(nearest("ab", begins), "did you mean abcdefgh, ax or b?") << "what goes on as it does";
  EXPECT_EQ(nearest("abcdwxyz", begins).find("did you mean abcdefgh, "), 0U)
      << "half of it is right";
  EXPECT_EQ(nearest("x", std::vector<std::string>{"cold", "hot"}), "choose from cold, hot");
}

}  // namespace
}  // namespace ladder::bench
