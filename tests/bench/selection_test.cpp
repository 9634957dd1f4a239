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

TEST(CommandLine, TakesOneDeviceOrSeveral) {
  EXPECT_EQ(parse({}).devices, std::vector{0});
  EXPECT_EQ(parse({"--device=2"}).devices, std::vector{2});
  EXPECT_EQ(parse({"--devices=3,1,1,0..1"}).devices, (std::vector{3, 1, 1, 0, 1})) << "twice too";
  EXPECT_EQ(parse({"--devices=all"}).devices, std::vector{every_device});
}

TEST(CommandLine, EvictsForProfilersOnlyWhereThatIsNamed) {
  EXPECT_EQ(parse({"--profile"}).caches, std::vector{Cache::hot});
  EXPECT_EQ(parse({"--profile", "--cache=cold"}).caches, std::vector{Cache::cold});
}

TEST(CommandLine, MeasuresEnergyByRungsOfItsOwn) {
  const auto energy = parse({"--energy"});
  EXPECT_EQ(energy.caches, std::vector{Cache::hot});
  EXPECT_EQ(energy.scopes, std::vector{Scope::host});
  EXPECT_EQ(energy.rungs.size(), 4U);
  EXPECT_TRUE(energy.rungs_may_lack);
  EXPECT_EQ(parse({"--energy", "--rungs=r16"}).rungs, std::vector<std::string>{"r16"});
  EXPECT_FALSE(parse({"--energy", "--rungs=r16"}).rungs_may_lack);
}

/// A command line, and the whole sentence that refuses it.
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
      {{"--data=exact,uniform"},
       "--data: 'exact,uniform': unknown; choose from exact, uniform, normal, file:PATH"},
      {{"--sizes=2^10,many"},
       "--sizes: 'many': expected elements (1000003, 2^20) or bytes (256MiB, 1GB)"},
      {{"--block=64,33"}, "--block: '33': expected a power of two from 32 to 1024"},
      {{"--seed=1", "--seed=2"}, "--seed: given more than once"},
      {{"--samples=0"}, "--samples: '0': expected a whole number of at least 1"},
      {{"--seed=-1"}, "--seed: '-1': expected a whole number from 0 to 18446744073709551615"},
      {{"--watchdog=nan"}, "--watchdog: 'nan': expected a number from 0 to 86400"},
      {{"--watchdog=86401"}, "--watchdog: '86401': expected a number from 0 to 86400"},
      {{"--peak-gbs=cpu:-1"}, "--peak-gbs: 'cpu:-1': expected a number above zero"},
      {{"--peak-gbs=nan"}, "--peak-gbs: 'nan': expected a number above zero"},
      {{"--devices=0,x"}, "--device: 'x': expected numbers of devices, as in 0,1 or 0..7, or all"},
      {{"--records=", "--quick"}, "--records=: its value is empty"},
      {{"--records", ""}, "--records: its value is empty"},
      {{""}, "ladder: its value is empty"},
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
  for (const auto* other : {"--cache", "--scope", "--samples"})
    holds({"--energy", other, other == std::string("--samples") ? "5" : "both"}, "--energy", other);
  for (const auto* other : {"--quick", "--profile"}) holds({"--energy", other}, "--energy", other);
  holds({"--processes=2", "--benchmark_out=x"}, "--processes", "--benchmark_out");
  holds({"--processes=2", "--profile"}, "--processes", "--profile");
  holds({"--energy", "--processes=2"}, "--energy", "--processes");
  holds({"--energy", "--resume", "--records=a.jsonl"}, "--energy", "--resume");
  holds({"--pages=medium"}, "--pages", "small");
  holds({"--list", "--format=xml"}, "--format", "json");
  EXPECT_TRUE(parse({"--list", "--format=json"}).list);
}

TEST(CommandLine, RefusesWhatIsNoOption) {
  for (const auto* wrong : {"--size=4", "stray", "--benchmark_repetitions=5"})
    EXPECT_EQ(refusal({wrong}), std::string("The following argument was not expected: ") + wrong);
  EXPECT_NE(refusal({"--types", "f32", "stray"}).find("not expected: stray"), std::string::npos)
      << "a list has one value";
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

TEST(CommandLine, TakesGoogleBenchmarksFlags) {
  const auto selection = parse({"--benchmark_filter=r04", "--benchmark_out=x.json"});
  EXPECT_EQ(selection.filter, "r04");
  EXPECT_EQ(selection.benchmark_out, "x.json");
  EXPECT_EQ(parse({"--benchmark_filter=all"}).filter, "");
  EXPECT_TRUE(parse({"--benchmark_list_tests"}).list_tests);
  EXPECT_FALSE(parse({"--benchmark_list_tests=false"}).list_tests);
}

TEST(RungNames, AreThoseOfTheLaddersWithoutABackend) {
  check_rung_names({"r04", "r10..r16", "c13_tuned", "m00", "sequential_addressing", "lib"});
  check_rung_names({"library_that_only_a_backend_knows", "r30_polled"});
  for (const auto* wrong : {"r99", "r99_polled", "r16..r10", "r04..c04", "r04..", "libs", ""})
    EXPECT_THROW(check_rung_names({"r04", wrong}), UsageError) << wrong;
}

}  // namespace
}  // namespace ladder::bench
