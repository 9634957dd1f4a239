#include "bench/cli/selection.hpp"

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

Selection parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "ladder");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data()).value();
}

/// The amounts on an axis.
std::vector<std::size_t> along(const Selection& selection, std::string_view axis) {
  std::vector<std::size_t> amounts;
  for (const auto& value : selection.tuning.at(axis)) amounts.push_back(value.amount);
  return amounts;
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
  EXPECT_EQ(along(selection, "block"), (std::vector<std::size_t>{32, 64}));
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
  holds(refusal({"--types=f33"}), "f32");
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
  holds(refusal({"--devices=first"}), "0..7");
  holds(refusal({"--devices=0,1", "--device=0"}), "not with --device");
  holds(refusal({"--resume"}), "--records");
  holds(refusal({"stray"}), "unexpected argument");
}

TEST(CommandLine, HandsOnWhatTheCpuAndTheTunedRungAreTold) {
  EXPECT_EQ(parse({"--cpu-targets=AVX2,SSE4"}).cpu_targets, "AVX2,SSE4");
  EXPECT_EQ(parse({"--tuning=mine.json"}).tuning_file, "mine.json");
  EXPECT_EQ(parse({}).cpu_targets, "");
}

TEST(CommandLine, TakesOneDeviceOrSeveral) {
  EXPECT_EQ(parse({"--device=2"}).device, 2);
  EXPECT_TRUE(parse({"--device=2"}).devices.empty());
  EXPECT_EQ(parse({"--devices=3,1"}).devices, (std::vector{3, 1}));
  EXPECT_EQ(parse({"--devices=3,1"}).device, 3) << "of backends on one device";
}

TEST(CommandLine, PutsInputsOnlyBehindWholeElements) {
  EXPECT_EQ(parse({"--types=f64,i32", "--offset=24"}).offset, 24u);
  EXPECT_EQ(refusal({"--types=f32,f64", "--offset=4"}),
            "--offset=4: no multiple of 8 bytes, one f64");
  EXPECT_EQ(parse({"--offset=4096"}).offset, 4096U);
  EXPECT_EQ(refusal({"--offset=8192"}), "--offset=8192: at most 4096 bytes");
  EXPECT_EQ(refusal({"--offset=-4"}), "--offset=-4: expected a whole number");
}

TEST(CommandLine, RefusesValuesThatAreMissing) {
  EXPECT_EQ(refusal({"--records=", "--quick"}), "--records=: its value is empty");
  EXPECT_EQ(refusal({"--records", ""}), "--records: its value is empty");
  EXPECT_EQ(refusal({"--rungs=", "r04"}), "--rungs=: its value is empty");
  EXPECT_EQ(refusal({""}), "ladder: its value is empty");
}

TEST(CommandLine, RefusesAFormatOfNothing) {
  EXPECT_EQ(refusal({"--format=json"}),
            "--format: is of --list; --benchmark_format is that of a run");
  EXPECT_TRUE(parse({"--list", "--format=json"}).list);
}

TEST(CommandLine, RefusesWhatItWouldTakeOnlyAPartOf) {
  EXPECT_EQ(refusal({"--data=exact,uniform"}), "--data=exact,uniform: one kind of data in a run");
  EXPECT_EQ(refusal({"--peak-gbs=cpu:-1"}), "--peak-gbs=cpu:-1: expected a number above zero");
  EXPECT_EQ(
      refusal({"--records=a.jsonl.gz"}),
      "--records=a.jsonl.gz: records are appended as text; name a .jsonl file and compress it "
      "afterwards");
}

TEST(CommandLine, HasSweepsThatSetWhatTheUserDidNot) {
  const auto block = parse({"--sweep=block"});
  EXPECT_EQ(block.rungs, std::vector<std::string>{"r02..r12"});
  EXPECT_EQ(along(block, "block"), (std::vector<std::size_t>{32, 64, 128, 256, 512, 1024}));
  EXPECT_TRUE(block.sizes.empty());
  EXPECT_TRUE(block.scopes.empty()) << "each backend's finest";
  const auto changed = parse({"--sweep=block", "--rungs=r04", "--sizes=2^20", "--scope=host"});
  EXPECT_EQ(changed.rungs, std::vector<std::string>{"r04"});
  EXPECT_EQ(changed.tuning, block.tuning);
  EXPECT_EQ(changed.sizes, parse_sizes("", "2^20"));
  EXPECT_EQ(changed.scopes, std::vector{Scope::host});
  EXPECT_EQ(parse({"--sweep=block", "--scope=both"}).scopes.size(), 2u);
  EXPECT_EQ(along(parse({"--sweep=block", "--block=64"}), "block"), std::vector<std::size_t>{64});
  EXPECT_EQ(parse({"--sweep=n", "--sizes=8"}).sizes, parse_sizes("", "8"));
}

TEST(CommandLine, HasASweepForEachAxis) {
  const auto items = parse({"--sweep=items"});
  EXPECT_EQ(items.rungs, (std::vector<std::string>{"r07", "r08"}));
  EXPECT_EQ(along(items, "items"), (std::vector<std::size_t>{4, 8, 16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(items.tuning.at("block").size(), 6u);
  const auto grid = parse({"--sweep=grid"});
  EXPECT_EQ(grid.rungs, (std::vector<std::string>{"r11", "r15"}));
  EXPECT_EQ(grid.tuning.at("grid"), parse_axis(tuning_axes[1], "1x,2x,4x,8x,16x,32x,64x"));
  EXPECT_EQ(grid.tuning.at("block").size(), 6u);
  const auto n = parse({"--sweep=n"});
  EXPECT_TRUE(n.rungs.empty());
  EXPECT_EQ(n.sizes, parse_sizes("", "2^4..2^30"));
  EXPECT_EQ(parse({"--sweep=types"}).types, (std::vector{Type::i8, Type::i32, Type::i64, Type::f16,
                                                         Type::bf16, Type::f32, Type::f64}));
  EXPECT_EQ(parse({"--sweep=ops"}).operations,
            (std::vector{Operation::sum, Operation::min, Operation::max}));
}

TEST(CommandLine, UnitesSweeps) {
  const auto cases = parse({"--sweep=types,ops"});
  EXPECT_EQ(cases.types.size(), types.size());
  EXPECT_EQ(cases.operations.size(), 3u);
  const auto tunings = parse({"--sweep=items,grid"});
  EXPECT_EQ(tunings.rungs, (std::vector<std::string>{"r07", "r08", "r11", "r15"}));
  EXPECT_EQ(tunings.tuning.at("block").size(), 6u) << "each block once";
  EXPECT_EQ(tunings.tuning.at("items").size(), 8u);
  EXPECT_EQ(tunings.tuning.at("grid").size(), 7u);
  EXPECT_TRUE(parse({"--sweep=grid,types"}).rungs.empty()) << "one of them is over all rungs";
}

TEST(CommandLine, RefusesAnUnknownSweepWithTheKnownOnes) {
  EXPECT_EQ(refusal({"--sweep=block,blok"}),
            "--sweep: 'blok' is unknown; choose from block, items, grid, n, types, ops");
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
