// --processes: fresh processes into one file, and one table over all of them.

#include <csignal>
#include <map>
#include <set>

#include "program.hpp"

namespace ladder::bench {
namespace {

const std::string small = "--rungs=r02,r04 --sizes=2^10 --scope=kernel --samples=3 ";

TEST_F(Program, MeasuresInFreshProcessesInOneFile) {
  run_to(0, small + "--processes=3" + records_option());
  const auto runs = records("run");
  ASSERT_EQ(runs.size(), 3U);
  std::set<PlainJson> ids, places;
  for (unsigned i = 0; i < 3; ++i) {
    const auto& process = runs[i]["process"];
    EXPECT_EQ(process["index"], i + 1);
    EXPECT_EQ(process["of"], 3);
    EXPECT_EQ(process["group"], runs[0]["process"]["group"]);
    ids.insert(runs[i]["run"]);
    places.insert(process["places"]);
  }
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(places.size(), 3U);
  EXPECT_EQ(records("sample").size(), 18U);
  EXPECT_EQ(records("summary").size(), 6U);
}

TEST_F(Program, TellsTheMedianOfTheProcessesAndTheIntervalBetweenThem) {
  // 1.41 µs times 1.0, 1.1 and 1.2: the median is that of the second process, ± 23 %.
  const auto outcome =
      run_to(0, small + "--processes=3" + records_option(), "FAKE_SLOWNESS='1 1.1 1.2'");
  std::vector<double> medians;
  for (const auto& summary : records("summary"))
    if (summary["name"].get<std::string>().find("r02") != std::string::npos)
      medians.push_back(summary["median"]);
  ASSERT_EQ(medians.size(), 3U) << "each summary is of its own process";
  EXPECT_NEAR(medians[2] / medians[0], 1.2, 1e-9);
  expect_says(outcome, "over 3 processes");
  expect_says(outcome, "± 95 %");
  expect_says(outcome, "1.6 µs");  // 1.55, to the digits that ± 23 % justifies
  expect_says(outcome,
              "1.17x r02");  // exact: both sides slow down alike
  expect_says(outcome, "9/9");
}

TEST_F(Program, SaysThatOneProcessKnowsNothingOfTheNext) {
  expect_says(run(small), "--processes=5 tells");
}

TEST_F(Program, StopsAtAProcessThatCannotRunAsAsked) {
  const auto outcome = run_to(2, "--rungs=r99 --processes=4");
  EXPECT_EQ(outcome.text.find("r99"), outcome.text.rfind("r99")) << "said once: " << outcome.text;
}

TEST_F(Program, NamesTheProcessThatASignalEnded) {
  const auto outcome = run_to(
      128 + SIGABRT, "--rungs=aborts --sizes=2^10 --samples=2 --processes=2", "FAKE_KIND=cpu");
  expect_says(outcome, "ladder: process 1 of 2 was ended by signal 6 (Aborted); with --records, ");
}

TEST_F(Program, ResumesTheProcessThatWasStoppedAndTakesThoseThatAreMissing) {
  run_to(0, small + "--processes=3" + records_option());
  // Simulates a stop in the second process, after its first sample.
  const auto all = records();
  const auto second = records("run")[1]["run"];
  std::ofstream cut(file("records.jsonl"));
  for (const auto& record : all) {
    cut << record.dump() << "\n";
    if (record["kind"] == "sample" && record["run"] == second) break;
  }
  cut.close();
  const auto outcome = run_to(0, small + "--processes=3 --resume" + records_option());
  const auto runs = records("run");
  ASSERT_EQ(runs.size(), 4U) << "the first is finished; the second comes in two pieces";
  EXPECT_EQ(runs[2]["process"]["index"], 2);
  EXPECT_EQ(runs[3]["process"]["index"], 3);
  for (const auto& one : runs) EXPECT_EQ(one["process"]["group"], runs[0]["process"]["group"]);
  EXPECT_EQ(records("sample").size(), 18U);
  expect_says(outcome, "9/9");
  expect_says(run_to(0,
                     "--rungs=r02,r04 --sizes=2^10 --scope=kernel --samples=4 --processes=3 "
                     "--resume" +
                         records_option()),
              "12/12");
}

TEST_F(Program, RecordsWhatIsEvictedInEachCacheState) {
  run_to(0, "--rungs=r02 --sizes=2^10 --scope=kernel --samples=2 --cache=both" + records_option());
  std::map<std::string, int> evicted;
  for (const auto& m : records("measurement")) evicted[m["cache"]] = m["evicted_bytes"];
  EXPECT_EQ(evicted, (std::map<std::string, int>{{"cold", 4096}, {"hot", 0}}));
}

}  // namespace
}  // namespace ladder::bench
