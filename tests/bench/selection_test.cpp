#include "bench/cli/selection.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

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
  return tests::refusal_of<UsageError>([&] { parse(arguments); });
}

TEST(CommandLine, ReadsListsAxesAndNumbers) {
  const auto selection =
      parse({"--types=f64,i32", "--ops", "max,sum", "--block=32..64", "--grid=512,4x,4",
             "--cache=both", "--peak-gbs=38.4,cuda:4800", "--samples=2^3", "--seed=010",
             "--data=file:a,b", "--cpu-targets=AVX2,SSE4", "--sizes=1MiB..4MiB"});
  EXPECT_EQ(selection.types, (std::vector{Type::f64, Type::i32}));
  EXPECT_EQ(selection.operations, (std::vector{Operation::max, Operation::sum}));
  EXPECT_EQ(along(selection, "block"), (std::vector<std::size_t>{32, 64}));
  EXPECT_EQ(selection.tuning.at("grid"), (std::vector<AxisValue>{{512}, {4, true}, {4}}));
  EXPECT_EQ(selection.tuning.size(), 2U);
  EXPECT_EQ(selection.caches, (std::vector{Cache::cold, Cache::hot}));
  EXPECT_EQ(selection.peaks, (std::vector<GivenPeak>{{"", 38.4}, {"cuda", 4800}}));
  EXPECT_EQ(selection.samples, 8U);
  EXPECT_EQ(selection.seed, 10U) << "decimal";
  EXPECT_EQ(selection.data, Data::file);
  EXPECT_EQ(selection.data_file, "a,b");
  EXPECT_EQ(selection.cpu_targets, "AVX2,SSE4");
  EXPECT_EQ(selection.sizes.size(), 3U);
}

TEST(CommandLine, EvictsForProfilersOnlyWhereThatIsNamed) {
  EXPECT_EQ(parse({"--profile"}).caches, std::vector{Cache::hot});
  EXPECT_EQ(parse({"--profile", "--cache=cold"}).caches, std::vector{Cache::cold});
}

/// A command line and the whole message of its refusal.
struct Refused {
  std::vector<const char*> arguments;
  const char* sentence;
};

TEST(CommandLine, RefusesWithWhatWasGivenAndWhatWouldBeValid) {
  const std::vector<Refused> all{
      {{"--types=f32,f33"},
       "--types: 'f33': unknown; choose from i32, i64, f32, f64, i8, f16, bf16"},
      {{"--ops=mx"}, "--ops: 'mx': unknown; choose from sum, product, min, max, and, or, xor"},
      {{"--cache=warm"}, "--cache: 'warm': unknown; choose from cold, hot, both"},
      {{"--sweep=blok"}, "--sweep: 'blok': unknown; choose from block, items, grid, n, types, ops"},
      {{"--data=file:"}, "--data: 'file:': unknown; choose from exact, uniform, normal, file:PATH"},
      {{"--block=64,33"}, "--block: '33': expected a power of two from 32 to 1024"},
      {{"--seed=1", "--seed=2"}, "--seed: given more than once"},
      {{"--samples=0"}, "--samples: '0': expected a whole number of at least 1"},
      {{"--samples=2^31"}, "--samples: '2^31': expected at most 1000000"},
      {{"--seed=-1"}, "--seed: '-1': expected a whole number from 0 to 18446744073709551615"},
      {{"--watchdog=nan"}, "--watchdog: 'nan': expected a number from 0 to 86400"},
      {{"--peak-gbs=cpu:-1"}, "--peak-gbs: 'cpu:-1': expected a number above zero"},
      {{"--devices=0,x"}, "--device: 'x': expected numbers of devices, as in 0,1 or 0..7, or all"},
      {{"--records=", "--quick"}, "--records=: its value is empty"},
      {{"--records", ""}, "--records: its value is empty"},
      {{"--rungs=,", "--quick"}, "--rungs=,: its value is empty"},
      {{"--records=a", "--benchmark_out=./a"}, "--records and --benchmark_out: name two files"},
      {{"--size=4"}, "The following argument was not expected: --size=4"},
  };
  for (const auto& one : all) EXPECT_EQ(refusal(one.arguments), one.sentence);
}

TEST(CommandLine, NamesBothOptionsThatDoNotGoTogether) {
  const auto holds = [](const std::vector<const char*>& arguments, const char* a, const char* b) {
    const auto text = refusal(arguments);
    EXPECT_NE(text.find(a), std::string::npos) << text;
    EXPECT_NE(text.find(b), std::string::npos) << text;
  };
  holds({"--resume"}, "--resume", "--records");
  holds({"--format=json"}, "--format", "--list");
  holds({"--profile", "--records=a.jsonl"}, "--profile", "--records");
  holds({"--profile", "--samples=3"}, "--profile", "--samples");
  for (const auto* other : {"--cache=hot", "--scope=host", "--samples=5", "--quick", "--profile",
                            "--processes=2", "--benchmark_out=x"}) {
    const std::string option(other);
    holds({"--energy", other}, "--energy", option.substr(0, option.find('=')).c_str());
  }
  holds({"--processes=2", "--benchmark_out=x"}, "--processes", "--benchmark_out");
  holds({"--processes=2", "--profile"}, "--processes", "--profile");
}

TEST(CommandLine, HasSweepsThatSetWhatTheUserDidNot) {
  const auto block = parse({"--sweep=block"});
  EXPECT_EQ(block.rungs, std::vector<std::string>{"r02..r12"});
  EXPECT_TRUE(block.rungs_may_lack);
  EXPECT_EQ(along(block, "block"), (std::vector<std::size_t>{32, 64, 128, 256, 512, 1024}));
  EXPECT_TRUE(block.sizes.empty());
  EXPECT_TRUE(block.scopes.empty()) << "each backend's finest";
  const auto changed = parse({"--sweep=block", "--rungs=r04", "--sizes=2^20", "--scope=host"});
  EXPECT_EQ(changed.rungs, std::vector<std::string>{"r04"});
  EXPECT_FALSE(changed.rungs_may_lack);
  EXPECT_EQ(changed.tuning, block.tuning);
  EXPECT_EQ(changed.sizes, read_sizes("2^20"));
  EXPECT_EQ(changed.scopes, std::vector{Scope::host});
  EXPECT_EQ(along(parse({"--sweep=block", "--block=64"}), "block"), std::vector<std::size_t>{64});
}

TEST(RungNames, AreThoseOfTheLaddersWithoutABackend) {
  check_rung_names({"r04", "r10..r16", "c13_tuned", "m00", "sequential_addressing", "lib"});
  check_rung_names({"library_that_only_a_backend_knows", "r30_polled"});
  for (const auto* wrong : {"r99", "r99_polled", "r16..r10", "r04..c04", "r04..", "libs", ""})
    EXPECT_THROW(check_rung_names({"r04", wrong}), UsageError) << wrong;
}

}  // namespace
}  // namespace ladder::bench
