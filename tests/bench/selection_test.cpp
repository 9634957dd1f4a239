#include "bench/selection.hpp"

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

Selection parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "ladder");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data()).value();
}

std::string refusal(const std::vector<const char*>& arguments) {
  try {
    parse(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(CommandLine, HasFloatSumsColdInBothScopesByDefault) {
  const auto selection = parse({});
  EXPECT_EQ(selection.types, std::vector{Type::f32});
  EXPECT_EQ(selection.operations, std::vector{Operation::sum});
  EXPECT_EQ(selection.caches, std::vector{Cache::cold});
  EXPECT_EQ(selection.scopes.size(), 2u);
  EXPECT_EQ(selection.data, Data::exact);
  EXPECT_FALSE(selection.samples.has_value());
}

TEST(CommandLine, ReadsListsAndAxes) {
  const auto selection =
      parse({"--types=f64,i32", "--ops", "max,sum", "--block=32..64", "--cache=both",
             "--place=first,tail", "--peak-gbs=38.4,cuda:4800", "--samples=7", "--seed=9"});
  EXPECT_EQ(selection.types, (std::vector{Type::f64, Type::i32}));
  EXPECT_EQ(selection.operations, (std::vector{Operation::max, Operation::sum}));
  EXPECT_EQ(selection.blocks, (std::vector<unsigned>{32, 64}));
  EXPECT_EQ(selection.caches.size(), 2u);
  EXPECT_EQ(selection.places, (std::vector{Place::first, Place::tail}));
  ASSERT_EQ(selection.peaks.size(), 2u);
  EXPECT_EQ(selection.peaks[0].gbs, 38.4);
  EXPECT_EQ(selection.peaks[1].backend, "cuda");
  EXPECT_EQ(selection.samples, 7u);
  EXPECT_EQ(selection.seed, 9u);
}

TEST(CommandLine, RefusesWithTheOptionTheValueAndTheNearestChoice) {
  const auto holds = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  holds(refusal({"--types=f16"}), "f32");
  holds(refusal({"--ops=mx"}), "'mx' is unknown");
  holds(refusal({"--size=4"}), "--sizes");
  holds(refusal({"--block=33"}), "power of two");
  holds(refusal({"--block=2048"}), "1024");
  holds(refusal({"--sizes=many"}), "many");
  holds(refusal({"--samples=0"}), "--samples=0");
  holds(refusal({"--cache=warm"}), "choose from cold, hot");
  holds(refusal({"--data=file"}), "file:PATH");
  holds(refusal({"--peak-gbs=-1"}), "above zero");
  holds(refusal({"--device=first"}), "whole number");
  holds(refusal({"--resume"}), "--records");
  holds(refusal({"stray"}), "unexpected argument");
}

TEST(CommandLine, KeepsGoogleBenchmarksFlagsAndRefusesThoseThatWouldBreakTheMeasuring) {
  const auto selection =
      parse({"--benchmark_filter=r04", "--benchmark_out=x.json", "--benchmark_format=json"});
  EXPECT_EQ(selection.filter, "r04");
  EXPECT_TRUE(selection.benchmark_prints);
  EXPECT_EQ(selection.benchmark,
            (std::vector<std::string>{"--benchmark_out=x.json", "--benchmark_format=json"}));
  EXPECT_NE(refusal({"--benchmark_repetitions=5"}).find("--samples"), std::string::npos);
  EXPECT_NE(refusal({"--benchmark_min_time=1"}).find("--samples"), std::string::npos);
}

}  // namespace
}  // namespace ladder::bench
