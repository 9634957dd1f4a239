// --energy over a fake device that draws 50 W idle and 200 W busy. Its counter changes ten times
// per second of its own clock.

#include <cmath>
#include <regex>
#include <set>

#include "bench/results/results.hpp"
#include "program.hpp"

namespace ladder::bench {
namespace {

constexpr const char* counts = "FAKE_ENERGY=steps";

TEST_F(Program, MeasuresTheEnergyInRoundsAndRecordsThem) {
  const auto outcome = run_to(0, "--energy --sizes=2^12" + records_option(), counts);
  expect_says(outcome, "J/GB");
  expect_says(outcome, "energy by made up, which changes every 100 ms, idle 50.0 W");
  expect_says(outcome, "absent: no such device was ever built");
  std::map<std::string, std::set<unsigned>> rounds;
  std::map<unsigned, std::vector<std::string>> orders;
  for (const auto& record : records("energy")) {
    const std::string rung = record["rung"];
    rounds[rung].insert(record["round"].get<unsigned>());
    EXPECT_EQ(record["rounds"], energy_rounds);
    EXPECT_EQ(record["ok"], true);
    EXPECT_EQ(record["error"], nullptr);
    EXPECT_EQ(record["bytes"], 4096 * 4);
    EXPECT_EQ(record["block"], rung == "r04" ? PlainJson(256) : PlainJson(nullptr));
    EXPECT_NEAR(record["step_seconds"], 0.1, 2e-3);
    EXPECT_NEAR(record["idle_watts"], 50, 0.1);
    const double seconds = record["seconds"], watts = record["watts"], gbs = record["gbs"];
    EXPECT_GE(seconds, 3);
    EXPECT_LE(seconds, record["calls_seconds"].get<double>());
    EXPECT_DOUBLE_EQ(watts, record["joules"].get<double>() / seconds);
    EXPECT_LE(std::abs(watts / 200 - 1), record["uncertainty"].get<double>());
    EXPECT_LT(record["uncertainty"].get<double>(), 0.02);
    EXPECT_DOUBLE_EQ(record["joules_per_gb"], watts / gbs);
    // The fake rungs claim 20 and 80 GB/s, and 1 µs per call; the energy's clock is 10000x slower.
    const double call = 1e4 * (4096 * 4 / (rung == "r04" ? 20e9 : 80e9) + 1e-6);
    EXPECT_NEAR(gbs, 4096 * 4e-9 / call, 1e-3 * gbs) << rung;
  }
  const std::set<unsigned> all{1, 2, 3};
  EXPECT_EQ(rounds,
            (std::map<std::string, std::set<unsigned>>{{"library_fake", all}, {"r04", all}}));
  EXPECT_EQ(records("conditions").size(), 2u);
  EXPECT_TRUE(records("sample").empty());
}

TEST_F(Program, EnergyOfAllProblemsIsInOneTableBelowNoLineOfProgress) {
  setenv("FAKE_ENERGY", "steps", 1);
  const auto outcome =
      run_on_terminal(100, {"--energy", "--sizes=2^12", "--types=f32,i32", "--rungs=r04"});
  unsetenv("FAKE_ENERGY");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "float sum, n = 2^12 (16 KiB)  fake");
  expect_says(outcome, "int32 sum, n = 2^12 (16 KiB)  fake");
  const auto last = outcome.text.rfind("energy: round 3 of 3, 2 of 2");
  ASSERT_NE(last, std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find("\r\x1b[K", last), outcome.text.find_first_of("\r\n", last));
}

TEST_F(Program, SaysInASentenceWhereNothingCountsTheEnergy) {
  const auto outcome = run_to(2, "--energy --sizes=2^12" + records_option());
  expect_says(outcome, "fake: --energy: no counter of its energy is known\n");
  EXPECT_FALSE(fs::exists(file("records.jsonl")));
  const auto still = run_to(2, "--energy --sizes=2^12", "FAKE_ENERGY=still");
  expect_says(still, "the energy counter stands still (made up)");
}

TEST_F(Program, AWrongResultOrAFailureUnderEnergyIsAnError) {
  const auto outcome =
      run_to(1, "--energy --rungs=r04,wrong,throws --sizes=2^12" + records_option(), counts);
  expect_says(outcome, "0/3: wrong result: ");
  expect_says(outcome, "0/3: the launch failed, as it always does");
  expect_says(outcome, "3/3\n");
  std::size_t wrong = 0;
  for (const auto& record : records("energy")) {
    if (record["rung"] == "r04") continue;
    EXPECT_EQ(record["ok"], false);
    EXPECT_FALSE(record.contains("joules"));
    EXPECT_FALSE(record["error"].get<std::string>().empty());
    ++wrong;
  }
  EXPECT_EQ(wrong, 6u);
}

TEST_F(Program, EnergyIsOfFourGibibytesAndOfNothingWhereNothingIsRead) {
  expect_says(run("--energy --benchmark_list_tests", counts), "/n:1073741824/");
  expect_says(run("--energy --dry-run --sizes=2^12", counts), "2 measurements, about 30 s");
  expect_says(run("--energy --rungs=r04 --sizes=0", counts), "nothing is read");
}

}  // namespace
}  // namespace ladder::bench
