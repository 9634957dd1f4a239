// What the program does not take, and says so in a sentence, before anything is measured.

#include <string>

#include "program.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, ExitsWithTwoWhereItCannotRunAsAsked) {
  for (const auto* wrong :
       {"--rungs=r99", "--types=f12", "--block=2x", "--backends=absent", "--backends=nobody",
        "--nonsense", "--sweep=all", "--grid=4y", "--benchmark_nonsense", "--benchmark_format=xml",
        "--records=/nowhere/at/all.jsonl", "--records=/dev/full", "--data=file:/nowhere",
        "--rungs=r03", "--benchmark_filter=[z", "--tuning=/nowhere", "--tuning=/dev/null"}) {
    const auto outcome = run_to(2, "--sizes=2^10 --samples=1 " + std::string(wrong));
    EXPECT_EQ(outcome.text.find("r02_interleaved_divergent  b256"), std::string::npos)
        << "something was run: " << wrong;
  }
  run_to(2, "--sizes=2^50");
  run_to(2, "--sizes=2x");
  expect_says(run("--sizes=2^50"), "needs 4 PiB, free ");
  expect_says(run("--backends=absent"), "buy one");
  expect_says(run("--records=/nowhere/at/all.jsonl"), "No such file");
}

TEST_F(Program, ChecksWhereGoogleBenchmarkWritesBeforeAnythingIsOpened) {
  for (const auto* wrong : {"/nowhere/x.json", "/", "/proc/x.json"}) {
    const auto outcome = run_to(
        2, "--rungs=r02 --sizes=2^10 --benchmark_out=" + std::string(wrong) + records_option());
    expect_says(outcome, "--benchmark_out=" + std::string(wrong) + ": cannot be written: ");
    EXPECT_FALSE(fs::exists(file("records.jsonl")));
  }
}

TEST_F(Program, FailsWhereItsOutputIsLost) {
  for (const auto* what : {"--list", "--version", "--rungs=r02 --sizes=2^10 --samples=2"}) {
    const auto outcome = run(std::string(what) + " 2>&1 >/dev/full #");
    EXPECT_EQ(outcome.status, 1) << what;
    expect_says(outcome, "ladder: the standard output could not be written");
  }
}

TEST_F(Program, PlansNothingThatCannotBe) {
  const auto nothing = run_to(2, "--dry-run --rungs=r03");
  expect_says(nothing, "Skipped (absent: left out on purpose): fake r03");
  expect_says(nothing, "nothing to measure");
}
}  // namespace
}  // namespace ladder::bench
