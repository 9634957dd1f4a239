#include "bench/text.hpp"

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

std::vector<std::size_t> amounts(std::string_view list) {
  std::vector<std::size_t> values;
  for (const auto& size : parse_sizes("--sizes", list)) values.push_back(size.amount);
  return values;
}

std::string refusal(std::string_view list) {
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
}

TEST(Sizes, AreRefusedWithTheReason) {
  for (const auto* wrong :
       {"", "x", "2^", "^3", "-4", "1.5", "12MB3", "2^61", "2^64", "99999999999999999999",
        "17179869184GiB", "1,,2", "0..8", "8..4", "1..2..3", "1..2MiB"}) {
    EXPECT_NE(refusal(wrong).find("--sizes"), std::string::npos) << wrong;
  }
  EXPECT_NE(refusal("12x").find("12x"), std::string::npos);
}

TEST(Counts, AreAtLeastOneAndPowersWhereAsked) {
  EXPECT_EQ(parse_counts("--block", "32..128", true), (std::vector<unsigned>{32, 64, 128}));
  EXPECT_EQ(parse_counts("--workers", "1,3"), (std::vector<unsigned>{1, 3}));
  EXPECT_THROW(parse_counts("--block", "48", true), UsageError);
  EXPECT_THROW(parse_counts("--grid", "0"), UsageError);
  EXPECT_THROW(parse_counts("--grid", "4GiB"), UsageError);
}

TEST(Grids, AreOfBlocksOrOfBlocksForEachMultiprocessor) {
  const auto blocks = [](std::size_t amount) { return GridSize{amount, false}; };
  const auto per_unit = [](std::size_t amount) { return GridSize{amount, true}; };
  EXPECT_EQ(parse_grids("--grid", "512,4x,4,4x"),
            (std::vector{blocks(512), per_unit(4), blocks(4)}));
  EXPECT_EQ(
      parse_grids("--grid", "1x..8x,2^2..8"),
      (std::vector{per_unit(1), per_unit(2), per_unit(4), per_unit(8), blocks(4), blocks(8)}));
}

TEST(Grids, AreRefusedWithWhatWasGivenAndWhatWouldBeValid) {
  const auto refusal = [](std::string_view list) -> std::string {
    try {
      parse_grids("--grid", list);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto* wrong : {"x", "0x", "0", "4y", "x4", "4xx", "-1x", "1.5x", "1MiBx", "4KiB"}) {
    const auto text = refusal(wrong);
    EXPECT_TRUE(text.starts_with(std::string("--grid=") + wrong + ": ")) << wrong << "\n" << text;
    EXPECT_NE(text.find("(4x)"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("4294967296x").find("too large"), std::string::npos);
  EXPECT_NE(refusal("8x..4x").find("a range goes from"), std::string::npos);
  EXPECT_NE(refusal("1..4x").find("x behind them"), std::string::npos) << refusal("1..4x");
  EXPECT_NE(refusal("1x..4").find("x behind them"), std::string::npos) << refusal("1x..4");
  EXPECT_NE(refusal("4x,,8x").find("empty part"), std::string::npos);
}

TEST(Nearest, NamesTheLikeliestFirst) {
  const std::vector<std::string> many{"r00", "r01", "r02", "r03", "r04",
                                      "r05", "r06", "r15", "r16", "library_cub"};
  EXPECT_NE(nearest("r1", many).find("r15"), std::string::npos) << nearest("r1", many);
  EXPECT_NE(nearest("library_cup", many).find("did you mean library_cub"), std::string::npos);
  EXPECT_EQ(nearest("x", std::vector<std::string>{"cold", "hot"}), "choose from cold, hot");
}

TEST(Numbers, HaveTheDigitsAskedFor) {
  EXPECT_EQ(number_text(4551.87, 4), "4552");
  EXPECT_EQ(number_text(4551.87, 2), "4600");
  EXPECT_EQ(number_text(0.98765, 3), "0.988");
  EXPECT_EQ(number_text(97.26, 3), "97.3");
  EXPECT_EQ(number_text(0, 3), "0");
  EXPECT_EQ(seconds_text(1.2345e-5, 3), "12.3 µs");
  EXPECT_EQ(seconds_text(0.25, 2), "250 ms");
  EXPECT_EQ(bytes_text(1 << 30), "1 GiB");
  EXPECT_EQ(elements_text(std::size_t{1} << 28), "2^28");
  EXPECT_EQ(elements_text(1000), "1000");
  EXPECT_EQ(width("12 µs"), 5u);
}

}  // namespace
}  // namespace ladder::bench
