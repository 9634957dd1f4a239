// The program's file of records, over fake devices.

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "common/build_info.hpp"
#include "common/data.hpp"
#include "program.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, RecordsARunByItsMeasurementsAndSamples) {
  run_to(0, "--rungs=r02,r04 --sizes=2^10,2^12 --samples=6 --scope=kernel --types=f32,i64" +
                records_option());
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

TEST_F(Program, RecordsWhenARunBeganAndWhatEachPartWasBuiltWith) {
  run_to(0, "--rungs=r02 --sizes=2^10 --scope=kernel --samples=2" + records_option());
  const auto record = records("run").at(0);
  const auto date = record.value("date", "");
  EXPECT_TRUE(std::regex_match(date, std::regex("20..-..-..T..:..:..Z"))) << date;
  std::string digits;
  for (const char c : date)
    if (c != '-' && c != ':') digits += c;
  EXPECT_TRUE(record.value("run", "").starts_with(digits + "-")) << record["run"];
  EXPECT_EQ(record["version"], build_info().version);
  EXPECT_FALSE(record["build"]["cxx"]["compiler"].empty());
  for (const auto& [group, name, value] : build_info().facts)
    EXPECT_EQ(record["build"][group][name], value) << group << " " << name;
}

TEST_F(Program, RecordsDevicesModelsAxesAndWhatHoldsOfARung) {
  run_to(0, "--rungs=r11,lib --sizes=2^10 --scope=kernel --samples=2" + records_option());
  const auto record = records("run").at(0);
  EXPECT_EQ(record["axes"], (std::vector{"block", "grid", "items", "workers", "shares"}));
  EXPECT_EQ(record["types"]["f64"], PlainJson({{"words", "double"}, {"bytes", 8}}));
  const auto& device = record["devices"].at(0);
  EXPECT_EQ(device["space"], "fake:0");
  EXPECT_EQ(device["backends"], std::vector{"fake"});
  EXPECT_EQ(device["eviction"],
            PlainJson::parse(R"({"kind": "reads", "bytes": 4096, "workers": null,
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

TEST_F(Program, RecordsRoundedResultsAndTheErrorOfTheWorstSample) {
  const std::string selection = "--rungs=r02 --sizes=2^16 --scope=kernel --samples=3 --data=";
  run_to(0, selection + "uniform" + records_option());
  EXPECT_EQ(records("sample").size(), 3U);
  double worst = 0;
  for (const auto& sample : records("sample")) {
    EXPECT_TRUE(sample["result"].is_string()) << sample;
    worst = std::max(worst, sample["ulps"].get<double>());
  }
  EXPECT_GT(worst, 0);
  EXPECT_EQ(records("summary").at(0)["ulps"], worst);
  fs::remove(file("records.jsonl"));
  run_to(0, selection + "exact" + records_option());
  EXPECT_EQ(records("sample").size(), 3U);
  for (const auto& sample : records("sample")) EXPECT_FALSE(sample.contains("result")) << sample;
}

TEST_F(Program, RecordsTheBandwidthAndItsPartsOfThePeakAndTheCeiling) {
  run_to(0, "--rungs=r06 --sizes=2^20 --scope=kernel --samples=3" + records_option());
  ASSERT_EQ(records("summary").size(), 1U);
  ASSERT_EQ(records("ceiling").size(), 1U);
  const auto summary = records("summary")[0];
  // 4 MiB at 40 GB/s, and a microsecond for the launch; the peak is 100 GB/s.
  const double bytes = 1 << 22, gbs = bytes / (bytes / 40e9 + 1e-6) * 1e-9;
  EXPECT_NEAR(summary["gbs"].get<double>(), gbs, 1e-6);
  EXPECT_NEAR(summary["of_peak"].get<double>(), gbs / 100, 1e-8);
  const auto measurement = records("measurement").at(0);
  EXPECT_EQ(measurement["bytes"], 1 << 22);
  EXPECT_EQ(measurement["moved_bytes"], (1 << 22) + 8) << "with what the launch writes";
  const double ceiling = records("ceiling")[0]["gbs"];
  EXPECT_NEAR(ceiling, bytes / (bytes / 85e9 + 1e-6) * 1e-9, 1e-6);
  EXPECT_NEAR(summary["of_ceiling"].get<double>(), gbs / ceiling, 1e-6);
  EXPECT_EQ(records("ceiling")[0]["count"], 3) << "without the samples that chose the sweep";
}

TEST_F(Program, TakesOtherDataWhereTheResultWouldBeZero) {
  const auto sum = [](std::uint64_t seed) {
    float all = 0;
    for (std::uint64_t i = 0; i < 8; ++i) all += element<float>({.seed = seed}, i);
    return all;
  };
  std::uint64_t zero = 1, other = 1;
  while (sum(zero) != 0) ++zero;
  while (sum(other) == 0) ++other;
  for (const auto seed : {zero, other}) {
    fs::remove(file("records.jsonl"));
    run_to(0, "--rungs=r02 --sizes=8 --scope=kernel --samples=2 --seed=" + std::to_string(seed) +
                  records_option());
    ASSERT_EQ(records("measurement").size(), 1U);
    const std::uint64_t taken = records("measurement")[0]["seed"];
    EXPECT_NE(sum(taken), 0) << "a rung that returns nothing would be right";
    EXPECT_EQ(taken == seed, seed == other) << seed;
  }
}

TEST_F(Program, SweepsTheCeilingOfACpuOnEachInput) {
  const std::string some = "--rungs=r02 --ops=sum,min --sizes=2^12 --samples=2" + records_option();
  run_to(0, some);
  ASSERT_EQ(records("ceiling").size(), 1U);
  EXPECT_FALSE(records("ceiling")[0].contains("input")) << "a GPU's memory is alike everywhere";
  fs::remove(file("records.jsonl"));
  run_to(0, some, "FAKE_KIND=cpu");
  std::set<std::string> of;
  for (const auto& ceiling : records("ceiling")) of.insert(ceiling["input"].dump());
  EXPECT_EQ(of, (std::set<std::string>{R"({"data":"exact","op":"min","type":"f32"})",
                                       R"({"data":"exact","op":"sum","type":"f32"})"}));
  fs::remove(file("records.jsonl"));
  run_to(0, some + " --data=uniform", "FAKE_KIND=cpu");
  ASSERT_EQ(records("ceiling").size(), 1U) << "both operations have the same input";
}

}  // namespace
}  // namespace ladder::bench
