// The whole program over fake devices: its exit status and its output.

#include "program.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, MeasuresAndEndsWithTheTable) {
  const auto outcome = run_to(0, "--rungs=r02..r06,lib --sizes=2^16 --samples=5 --scope=kernel");
  expect_says(outcome, "r04_sequential_addressing");
  expect_says(outcome, "1.93x r02");  // r04's step goes past the absent r03
  expect_says(outcome, "library_fake");
  expect_says(outcome, "5/5");
  expect_says(outcome, "fast sweep");
  expect_says(outcome, "Not run: absent: no such device was ever built");
  expect_says(outcome, "left out on purpose");
}

TEST_F(Program, ReportsAWrongResultWithoutItsTimeAndExitsWithOne) {
  const auto outcome =
      run_to(1, "--rungs=r02,wrong --sizes=2^16 --samples=4 --scope=kernel" + records_option());
  expect_says(outcome, "WRONG 4/4");
  expect_says(outcome,
              "ERROR reduce/fake/wrong/f32/sum/n:65536/exact/cold/kernel: wrong result: got ");
  int wrong = 0;
  for (const auto& sample : records("sample")) {
    if (sample["ok"]) continue;
    ++wrong;
    EXPECT_TRUE(sample["seconds"].is_null());
  }
  EXPECT_EQ(wrong, 4);
  for (const auto& summary : records("summary")) {
    EXPECT_EQ(summary.contains("median"), summary["wrong"] == 0) << summary;
  }
}

TEST_F(Program, GoesOnAfterALaunchFails) {
  const auto outcome = run_to(1, "--rungs=throws,r06 --sizes=2^16 --samples=3 --scope=kernel");
  expect_says(outcome, "the launch failed, as it always does");
  expect_says(outcome, "3/3");
}

TEST_F(Program, DiscardsSamplesWhoseHoldGaveUp) {
  const auto outcome =
      run_to(1, "--rungs=lets_go --sizes=2^16 --samples=3 --scope=kernel" + records_option());
  expect_says(outcome, "let go before all was enqueued");
  ASSERT_EQ(records("summary").size(), 1u);
  EXPECT_EQ(records("summary")[0]["discarded"], 3);
}

TEST_F(Program, TakesASampleAgainThatTheDeviceWasThrottledIn) {
  const std::string selection = "--rungs=r02 --sizes=2^16 --scope=kernel --no-ceilings";
  const std::string nine = selection + " --samples=9" + records_option();
  run_to(0, nine);
  const auto quiet = records("summary").at(0);
  EXPECT_EQ(quiet["retaken"], 0);
  EXPECT_EQ(quiet["disturbed"], 0);
  fs::remove(file("records.jsonl"));
  // Throttled in tries 2 and 3, both of the second sample, which is thus taken three times.
  run_to(0, nine, "FAKE_THROTTLED='2 3'");
  const auto summary = records("summary").at(0);
  EXPECT_EQ(summary["count"], 9);
  EXPECT_EQ(summary["retaken"], 2);
  EXPECT_EQ(summary["disturbed"], 0);
  EXPECT_EQ(summary["p95"], quiet["p95"]) << "none of the slow ones counts";
  const auto thrown_away = records("disturbed");
  ASSERT_EQ(thrown_away.size(), 2U);
  for (const auto& one : thrown_away) {
    EXPECT_EQ(one["id"], summary["id"]);
    EXPECT_EQ(one["index"], 1);
    EXPECT_TRUE(one["what"].get<std::string>().starts_with("thermal slowdown")) << one;
    EXPECT_GT(one["seconds"].get<double>(), 1.9 * quiet["median"].get<double>());
  }
  for (const auto& sample : records("sample")) EXPECT_FALSE(sample.contains("disturbed")) << sample;
  fs::remove(file("records.jsonl"));
  // The fourth sample is disturbed all three times, the fifth once.
  run_to(0, selection + " --samples=20" + records_option(), "FAKE_THROTTLED='4 7'");
  EXPECT_EQ(records("summary").at(0)["retaken"], 3);
  EXPECT_EQ(records("summary").at(0)["disturbed"], 1);
}

TEST_F(Program, KeepsWhatIsDisturbedEachTimeAndSaysSo) {
  const std::string selection =
      " --sizes=2^16 --samples=9 --scope=kernel --no-ceilings" + records_option();
  const auto outcome = run_to(0, "--rungs=r02" + selection, "FAKE_THROTTLED='4 100000'");
  expect_says(outcome,
              "Disturbed (made up, thermal slowdown): 2 samples were taken again, and 6 of "
              "the 9 that count");
  const auto summary = records("summary").at(0);
  EXPECT_EQ(summary["count"], 9);
  EXPECT_EQ(summary["disturbed"], 6);
  EXPECT_EQ(summary["retaken"], 2) << "twice each, and a quarter of all: no more often than that";
  EXPECT_GT(summary["p95"].get<double>(), 1.9 * summary["p5"].get<double>()) << "it shows";
  EXPECT_EQ(records("disturbed").size(), 2U);
  std::size_t marked = 0;
  for (const auto& sample : records("sample")) marked += sample.contains("disturbed") ? 1U : 0U;
  EXPECT_EQ(marked, 6U);
  run_to(0, "--rungs=r02" + selection + "--resume");
  EXPECT_EQ(records("sample").size(), 9U) << "nothing is missing";
}

TEST_F(Program, AWrongResultIsNoLessWrongWhereItWasDisturbed) {
  run_to(1, "--rungs=wrong --sizes=2^16 --samples=4 --scope=kernel" + records_option(),
         "FAKE_THROTTLED='1 100000'");
  EXPECT_EQ(records("summary").at(0)["wrong"], 4);
  EXPECT_TRUE(records("disturbed").empty());
}

TEST_F(Program, TakesNAtZeroForTheIdentity) {
  run_to(0, "--rungs=r02,r06 --sizes=0 --ops=sum,min --samples=2");
}

TEST_F(Program, PlansWithoutRunning) {
  const auto outcome = run_to(0, "--dry-run --rungs=r02,r04 --sizes=2^10..2^12");
  expect_says(outcome, "of input in fake:0");
  expect_says(outcome, "12 measurements, about ");
  EXPECT_EQ(outcome.text.find("GB/s"), std::string::npos);
  expect_says(run("--dry-run --processes=5 --rungs=r02 --sizes=2^10 --scope=kernel"),
              "1 measurement in each of 5 processes, about ");
  const auto nothing = run_to(2, "--dry-run --rungs=r03");
  expect_says(nothing, "Left out (left out on purpose): fake r03");
  expect_says(nothing, "nothing to measure");
}

TEST_F(Program, ListsWhatItHas) {
  expect_says(run("--list"), "absent: left out on purpose");
  expect_says(run("--list"), "needs compute capability 9.0 (clusters)");
  const auto json = PlainJson::parse(run("--list --format=json").text);
  EXPECT_EQ(json["rungs"][0]["id"], "r02");
  EXPECT_TRUE(run("--list --format=json").text.starts_with("{\n \"")) << "a blank for each level";
  EXPECT_EQ(json["rungs"][0]["carries"].size(), 12u);
  EXPECT_EQ(json["ladders"]["cpu"][0]["id"], "c00");
  EXPECT_EQ(json["axes"][0], "block");
  EXPECT_EQ(json["types"][2], PlainJson({{"name", "f32"}, {"words", "float"}, {"bytes", 4}}));
  const auto help = run_to(0, "--help");
  expect_says(help, "\nUsage: ladder [OPTIONS]\n");
  expect_says(help, "--rungs=r11,r15 --block=32..1024 --grid=1x..64x");
  expect_says(run("--version"), build_info().version.data());
}

TEST_F(Program, LeavesOutWhatIsRefusedOnlyWhenItIsPrepared) {
  const auto outcome =
      run_to(0, "--rungs=r15..r23,refused --sizes=2^10 --samples=2 --scope=kernel");
  expect_says(outcome, "Left out (refused at the last moment): fake refused\n");
  expect_says(outcome,
              "Left out (needs compute capability 9.0 (clusters), this GPU has 8.0): fake r23\n");
  const auto alone = run_to(2, "--rungs=refused --sizes=2^10 --samples=2 --scope=kernel");
  expect_says(alone, "refused at the last moment");
}

TEST_F(Program, SpeaksGoogleBenchmarksLanguage) {
  const std::string selection = "--rungs=r02,r04 --sizes=2^10 --scope=kernel --samples=3 ";
  const std::string name =
      "reduce/fake/r04_sequential_addressing/f32/sum/n:1024/block:256/exact/cold/kernel";
  EXPECT_EQ(run(selection + "--benchmark_list_tests --benchmark_filter=r04").text, name + "\n");
  expect_says(run_to(2, selection + "--benchmark_filter=r05"), "--benchmark_filter leave no rung");
  run_to(0, selection + "--benchmark_filter=r04 --benchmark_out='" + file("out.json") + "'");
  std::ifstream stream(file("out.json"));
  const auto out = PlainJson::parse(stream);
  std::size_t named = 0;
  for (const auto& entry : out["benchmarks"])
    named += entry["run_type"] == "iteration" && entry["name"].get<std::string>().starts_with(name);
  EXPECT_EQ(named, 3u);
}

TEST_F(Program, ReadsDataFromAFile) {
  std::ofstream(file("three.raw"), std::ios::binary)
      .write("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12);  // 1, 2, 3 as floats
  const auto raw =
      run_to(0, "--rungs=r02 --samples=2 --sizes=3,4 --data=file:'" + file("three.raw") + "'");
  expect_says(raw, "the file holds 3 elements");  // so that size 4 is left out
  const auto outcome =
      run_to(2, "--rungs=r02 --samples=2 --types=f64 --data=file:'" + file("three.raw") + "'");
  expect_says(outcome, "no multiple of 8");
}

TEST_F(Program, AcceptsOfNaNAndZerosWhatALibraryDeclaresAndSaysSo) {
  const float nan = std::nanf("");
  for (const auto& data : {std::vector{3.0F, nan, 2.0F}, std::vector{0.0F, -0.0F, 2.0F}}) {
    std::ofstream(file("data.raw"), std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), 4 * 3);
    const std::string selection = "--samples=2 --ops=min --scope=kernel --data=file:'" +
                                  file("data.raw") + "'" + records_option() + "--rungs=";
    fs::remove(file("records.jsonl"));
    const auto declared = run_to(0, selection + "open_nan");
    expect_says(declared, "2/2 (NaN left open)");
    EXPECT_EQ(records("summary").at(0)["nan_left_open"], true);
    const auto undeclared = run_to(1, selection + "ignores_nan");
    expect_says(undeclared, "WRONG 2/2");
  }
}

TEST_F(Program, RecordsTheReducedValues) {
  const std::vector<std::int32_t> data{7, -5, 12};
  std::ofstream(file("data.raw"), std::ios::binary)
      .write(reinterpret_cast<const char*>(data.data()), 4 * 3);
  run_to(0, "--rungs=r02 --types=i32 --ops=sum,min,max --samples=2 --scope=kernel --data=file:'" +
                file("data.raw") + "'" + records_option());
  std::map<std::string, std::string> found;
  for (const auto& summary : records("summary")) {
    EXPECT_EQ(summary["distinct_results"], 1);
    found[summary["name"]] = summary["result"];
  }
  const auto name = [](const char* op) {
    return std::string("reduce/fake/r02_interleaved_divergent/i32/") + op +
           "/n:3/block:256/file/cold/kernel";
  };
  EXPECT_EQ(found, (std::map<std::string, std::string>{
                       {name("sum"), "14"}, {name("min"), "-5"}, {name("max"), "12"}}));
}

}  // namespace
}  // namespace ladder::bench
