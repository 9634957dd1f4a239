// The program from outside, over fake devices: its exit status, its words and its records.

#include "program.hpp"

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/build_info.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, MeasuresAndEndsWithTheTable) {
  const auto outcome = run("--rungs=r02..r06,lib --sizes=2^16 --samples=5 --scope=kernel");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
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
      run("--rungs=r02,wrong --sizes=2^16 --samples=4 --scope=kernel" + records_option());
  EXPECT_EQ(outcome.status, 1);
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
  const auto outcome = run("--rungs=throws,r06 --sizes=2^16 --samples=3 --scope=kernel");
  EXPECT_EQ(outcome.status, 1);
  expect_says(outcome, "the launch failed, as it always does");
  expect_says(outcome, "3/3");
}

TEST_F(Program, DiscardsSamplesWhoseHoldGaveUp) {
  const auto outcome =
      run("--rungs=lets_go --sizes=2^16 --samples=3 --scope=kernel" + records_option());
  EXPECT_EQ(outcome.status, 1);
  expect_says(outcome, "let go before all was enqueued");
  ASSERT_EQ(records("summary").size(), 1u);
  EXPECT_EQ(records("summary")[0]["discarded"], 3);
}

TEST_F(Program, ExitsWithTwoWhereItCannotRunAsAsked) {
  for (const auto* wrong :
       {"--rungs=r99", "--types=f12", "--block=2x", "--backends=absent", "--backends=nobody",
        "--nonsense", "--sweep=all", "--grid=4y", "--benchmark_nonsense", "--benchmark_format=xml",
        "--records=/nowhere/at/all.jsonl", "--records=/dev/full", "--data=file:/nowhere",
        "--rungs=r03", "--benchmark_filter=[z"}) {
    const auto outcome = run("--sizes=2^10 --samples=1 " + std::string(wrong));
    EXPECT_EQ(outcome.status, 2) << wrong << "\n" << outcome.text;
    EXPECT_EQ(outcome.text.find("r02_interleaved_divergent  b256"), std::string::npos)
        << "something was run: " << wrong;
  }
  EXPECT_EQ(run("--sizes=2^50").status, 2);
  EXPECT_EQ(run("--sizes=2x").status, 2);
  expect_says(run("--sizes=2^50"), "needs 4 PiB, free ");
  expect_says(run("--backends=absent"), "buy one");
  expect_says(run("--records=/nowhere/at/all.jsonl"), "No such file");
}

TEST_F(Program, TakesNAtZeroForTheIdentity) {
  EXPECT_EQ(run("--rungs=r02,r06 --sizes=0 --ops=sum,min --samples=2").status, 0);
}

TEST_F(Program, RecordsARunByItsMeasurementsAndSamples) {
  EXPECT_EQ(run("--rungs=r02,r04 --sizes=2^10,2^12 --samples=6 --scope=kernel --types=f32,i64" +
                records_option())
                .status,
            0);
  ASSERT_EQ(records("run").size(), 1u);
  const auto run_record = records("run")[0];
  EXPECT_EQ(run_record["schema"], 2);
  EXPECT_EQ(run_record["devices"][0]["name"], "a fake device");
  std::map<std::string, int> samples;
  for (const auto& sample : records("sample")) {
    EXPECT_EQ(sample["run"], run_record["run"]);
    ++samples[sample["id"]];
  }
  EXPECT_EQ(records("measurement").size(), 8u);
  for (const auto& measurement : records("measurement")) {
    EXPECT_EQ(samples[measurement["id"]], 6) << measurement;
    EXPECT_EQ(measurement["bytes"],
              measurement["n"].get<int>() * (measurement["type"] == "f32" ? 4 : 8));
  }
  EXPECT_EQ(records("summary").size(), 8u);
  EXPECT_EQ(records("ceiling").size(), 4u) << "one a byte count";
  EXPECT_EQ(records("floor").size(), 2u) << "the clock, and the least launch";
}

TEST_F(Program, RecordsWhatEachPartWasBuiltWith) {
  EXPECT_EQ(run("--rungs=r02 --sizes=2^10 --scope=kernel --samples=2" + records_option()).status,
            0);
  const auto record = records("run").at(0);
  EXPECT_EQ(record["version"], build_info().version);
  EXPECT_FALSE(record["build"]["cxx"]["compiler"].empty());
  for (const auto& [group, name, value] : build_info().facts)
    EXPECT_EQ(record["build"][group][name], value) << group << " " << name;
}

TEST_F(Program, RecordsDevicesModelsAxesAndWhatHoldsOfARung) {
  EXPECT_EQ(
      run("--rungs=r11,lib --sizes=2^10 --scope=kernel --samples=2" + records_option()).status, 0);
  const auto record = records("run").at(0);
  EXPECT_EQ(record["axes"], (std::vector{"block", "grid", "items", "workers"}));
  EXPECT_EQ(record["types"]["f64"], Json({{"words", "double"}, {"bytes", 8}}));
  const auto& device = record["devices"].at(0);
  EXPECT_EQ(device["space"], "fake:0");
  EXPECT_EQ(device["backends"], std::vector{"fake"});
  EXPECT_EQ(device["eviction"], Json::parse(R"({"kind": "reads", "bytes": 4096, "workers": null,
                                                "capped": false})"));
  EXPECT_EQ(record["models"]["fake"]["version"]["value"], "3");
  const auto r11 = records("measurement").at(0), library = records("measurement").at(1);
  EXPECT_EQ(r11["family"], "grid stride");
  EXPECT_EQ(r11["nan"], "propagates");
  EXPECT_EQ(library["nan"], "unspecified");
  EXPECT_EQ(r11["space"], "fake:0");
  EXPECT_EQ(r11["grid"], 4);
  EXPECT_TRUE(r11["items"].is_null());
  for (const auto* kind : {"conditions", "floor", "ceiling"})
    for (const auto& of_device : records(kind)) EXPECT_EQ(of_device["space"], "fake:0");
  EXPECT_EQ(records("floor").at(0)["what"], "launch");
}

TEST_F(Program, RecordsRoundedResultsForWhoAsksWhetherTheyAreTheSameEachTime) {
  const std::string selection = "--rungs=r02 --sizes=2^10 --scope=kernel --samples=3 --data=";
  EXPECT_EQ(run(selection + "uniform" + records_option()).status, 0);
  EXPECT_EQ(records("sample").size(), 3U);
  for (const auto& sample : records("sample")) EXPECT_TRUE(sample["result"].is_string()) << sample;
  fs::remove(file("records.jsonl"));
  EXPECT_EQ(run(selection + "exact" + records_option()).status, 0);
  EXPECT_EQ(records("sample").size(), 3U);
  for (const auto& sample : records("sample")) EXPECT_FALSE(sample.contains("result")) << sample;
}

TEST_F(Program, RecordsHowMuchIsReadToEvict) {
  EXPECT_EQ(
      run("--rungs=r02 --sizes=2^10 --scope=kernel --samples=2 --cache=both" + records_option())
          .status,
      0);
  ASSERT_EQ(records("measurement").size(), 2U);
  for (const auto& measurement : records("measurement"))
    EXPECT_EQ(measurement["evicted_bytes"], measurement["cache"] == "cold" ? 4096 : 0);
}

TEST_F(Program, ResumesByTakingOnlyWhatIsMissing) {
  const std::string selection = "--rungs=r02,r04 --sizes=2^10 --scope=kernel" + records_option();
  EXPECT_EQ(run(selection + "--samples=4").status, 0);
  {
    std::ofstream cut(file("records.jsonl"), std::ios::app);
    cut << "{\"kind\":\"sample\",\"ru\n";  // a kill in the middle of a line
  }
  const auto outcome = run(selection + "--samples=10 --resume");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "10/10");
  std::ifstream stream(file("records.jsonl"));
  int samples = 0;
  for (std::string line; std::getline(stream, line);)
    samples += line.starts_with("{\"kind\":\"sample\"") && line.ends_with("}");
  EXPECT_EQ(samples, 20);
}

TEST_F(Program, ResumesNothingThatMustNotBeMixed) {
  const std::string selection = "--rungs=r02 --sizes=2^10 --scope=kernel" + records_option();
  EXPECT_EQ(run(selection + "--samples=2").status, 0);
  const auto other_seed = run(selection + "--samples=4 --seed=5 --resume");
  EXPECT_EQ(other_seed.status, 2);
  expect_says(other_seed, "another seed (1 there, 5 here)");
  const auto other_driver = run(selection + "--samples=4 --resume", "FAKE_DRIVER=2.0");
  EXPECT_EQ(other_driver.status, 2);
  expect_says(other_driver, "another fake:0 facts driver value (\"1.0\" there, \"2.0\" here)");
  EXPECT_EQ(records("run").size(), 1U) << "a refused run leaves nothing in the file";
  EXPECT_EQ(run("--rungs=wrong --sizes=2^10 --scope=kernel --samples=2" + records_option()).status,
            1);
  expect_says(run(selection + "--samples=4 --resume"), "wrong or failed sample");
}

TEST_F(Program, ResumesNoFileOfAnotherSchema) {
  std::ofstream(file("records.jsonl")) << R"({"kind":"run","run":"a","schema":1})"
                                       << "\n"
                                       << R"({"kind":"sample","run":"a","id":"b","ok":true})"
                                       << "\n";
  const auto outcome = run("--rungs=r02 --sizes=2^10 --resume" + records_option());
  EXPECT_EQ(outcome.status, 2);
  expect_says(outcome, "holds samples of another schema (1 there, 2 here)");
}

TEST_F(Program, BeginsANewLineWhereAKillCutTheLast) {
  const std::string selection = "--rungs=r02 --sizes=2^10 --scope=kernel --samples=2";
  std::ofstream(file("records.jsonl")) << "{\"kind\":\"sample\",\"ru";
  EXPECT_EQ(run(selection + records_option()).status, 0);
  std::ifstream stream(file("records.jsonl"));
  std::string torn, next;
  std::getline(stream, torn);
  std::getline(stream, next);
  EXPECT_EQ(Json::parse(next)["kind"], "run");
}

TEST_F(Program, RecordsNoTimesOfAProfilersRun) {
  EXPECT_EQ(run("--rungs=r02 --sizes=2^10 --profile").status, 0);
  const auto outcome = run("--rungs=r02 --sizes=2^10 --profile" + records_option());
  EXPECT_EQ(outcome.status, 2);
  expect_says(outcome, "leave out --records");
}

TEST_F(Program, PlansWithoutRunning) {
  const auto outcome = run("--dry-run --rungs=r02,r04 --sizes=2^10..2^12");
  EXPECT_EQ(outcome.status, 0);
  expect_says(outcome, "12 measurements");
  expect_says(outcome, "of input in fake:0");
  EXPECT_EQ(outcome.text.find("GB/s"), std::string::npos);
}

TEST_F(Program, ListsWhatItHas) {
  expect_says(run("--list"), "absent: left out on purpose");
  const auto json = Json::parse(run("--list --format=json").text);
  EXPECT_EQ(json["rungs"][0]["id"], "r02");
  EXPECT_EQ(json["rungs"][0]["carries"].size(), 12u);
  EXPECT_EQ(json["ladders"]["cpu"][0]["id"], "c00");
  EXPECT_EQ(json["axes"][0], "block");
  EXPECT_EQ(json["types"][2], Json({{"name", "f32"}, {"words", "float"}, {"bytes", 4}}));
  const auto help = run("--help");
  EXPECT_EQ(help.status, 0);
  expect_says(help, "--rungs=r11,r15 --block=32..1024 --grid=1x..64x");
  expect_says(run("--version"), build_info().version.data());
}

TEST_F(Program, ListsEveryKindOfRecordThatItWrites) {
  EXPECT_EQ(run("--rungs=r02..r04,refused --sizes=2^10 --samples=2" + records_option()).status, 0);
  std::set<std::string> listed, written;
  const auto list = Json::parse(run("--list --format=json").text);
  for (const auto& kind : list["kinds"]) listed.insert(kind["kind"]);
  for (const auto& record : records()) written.insert(record["kind"]);
  EXPECT_EQ(listed, written);
}

TEST_F(Program, LeavesOutWhatIsRefusedOnlyWhenItIsPrepared) {
  const auto outcome = run("--rungs=r02,refused --sizes=2^10 --samples=2 --scope=kernel");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "Skipped (refused at the last moment): reduce/fake/refused/f32/sum/n:1024/");
  const auto alone = run("--rungs=refused --sizes=2^10 --samples=2 --scope=kernel");
  EXPECT_EQ(alone.status, 2);
  expect_says(alone, "refused at the last moment");
}

TEST_F(Program, SpeaksGoogleBenchmarksLanguage) {
  const std::string selection = "--rungs=r02,r04 --sizes=2^10 --scope=kernel --samples=3 ";
  const std::string name =
      "reduce/fake/r04_sequential_addressing/f32/sum/n:1024/block:256/exact/cold/kernel";
  EXPECT_EQ(run(selection + "--benchmark_list_tests --benchmark_filter=r04").text, name + "\n");
  EXPECT_EQ(
      run(selection + "--benchmark_filter=r04 --benchmark_out='" + file("out.json") + "'").status,
      0);
  std::ifstream stream(file("out.json"));
  const auto out = Json::parse(stream);
  std::size_t named = 0;
  for (const auto& entry : out["benchmarks"]) named += entry["name"] == name;
  EXPECT_EQ(named, 3u)
      << "our name, without the library's suffixes, so that its compare tool finds the pairs";
  EXPECT_EQ(out["benchmarks"].dump().find("ceiling"), std::string::npos);
  expect_says(run(selection + "--benchmark_format=csv"), "\"" + name + "\",1,");
}

TEST_F(Program, ReadsDataFromAFile) {
  std::ofstream(file("three.raw"), std::ios::binary)
      .write("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12);  // 1, 2, 3 as floats
  EXPECT_EQ(run("--rungs=r02 --samples=2 --data=file:'" + file("three.raw") + "'").status, 0);
  const auto outcome =
      run("--rungs=r02 --samples=2 --types=f64 --data=file:'" + file("three.raw") + "'");
  EXPECT_EQ(outcome.status, 2);
  expect_says(outcome, "no multiple of 8");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  header.resize(118, ' ');
  std::ofstream npy(file("three.npy"), std::ios::binary);
  npy.write("\x93NUMPY\x01\x00\x76\x00", 10);
  npy << header;
  npy.write("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12);
  npy.close();
  EXPECT_EQ(run("--rungs=r02 --samples=2 --data=file:'" + file("three.npy") + "'").status, 0);
  expect_says(run("--types=i32 --data=file:'" + file("three.npy") + "'"), "holds <f4");
}

}  // namespace
}  // namespace ladder::bench
