// The samples that --resume reuses from a file of records.

#include <string>
#include <vector>

#include "bench/records/records.hpp"
#include "program.hpp"

namespace ladder::bench {
namespace {

class Resume : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    run_to(0, selection() + "--samples=2");
    const auto all = records();
    ASSERT_FALSE(all.empty());
    for (const auto& record : all) begun_.push_back(record);
  }
  std::string selection() const {
    return "--rungs=r02 --sizes=2^10 --scope=kernel" + records_option();
  }
  /// Rewrites the file with `change` applied to each record of that kind.
  template <class Change>
  void change(const std::string& kind, Change change) const {
    std::ofstream stream(file("records.jsonl"));
    for (auto record : begun_) {
      if (record["kind"] == kind) change(record);
      stream << record << "\n";
    }
  }
  Outcome resume(int status = 0) const {
    return run_to(status, selection() + "--samples=4 --resume");
  }
  void refuses(const std::string& words) const {
    const auto outcome = resume(2);
    expect_says(outcome, words);
    std::ifstream stream(file("records.jsonl"));
    int runs = 0;
    for (std::string line; std::getline(stream, line);)
      runs += line.find("\"kind\":\"run\"") != std::string::npos ? 1 : 0;
    EXPECT_EQ(runs, 1) << "a refused run leaves nothing in the file";
  }

  std::vector<PlainJson> begun_;
};

TEST_F(Resume, TakesOnlyWhatIsMissingPastALineThatAKillHasCutShort) {
  std::ofstream(file("records.jsonl"), std::ios::app) << R"({"kind":"sample","ru)";
  expect_says(resume(), "4/4");
  std::ifstream stream(file("records.jsonl"));
  int samples = 0;
  for (std::string line; std::getline(stream, line);)
    samples += line.starts_with(R"({"kind":"sample")") && line.ends_with("}") ? 1 : 0;
  EXPECT_EQ(samples, 4);
}

TEST_F(Resume, TakesTheSameCommandAlone) {
  const auto outcome = run_to(2, selection() + " --seed=5 --resume");
  expect_says(outcome, "holds samples of another command (nothing there, --seed=5 here)");
  const auto in_other_order = run_to(
      0, "--resume --samples 3 --scope=kernel --sizes 2^10" + records_option() + "--rungs=r02");
  expect_says(in_other_order, "3/3");
}

TEST_F(Resume, KnowsFilesByTheirNamesInWhateverFolder) {
  const auto records =
      without_folders({"/home/me/build/ladder", "--records=/home/me/a.jsonl", "--data",
                       "file:/home/me/x.npy", "--tuning=b", "--backends=kokkos/cuda",
                       "--shape=segments:file:/home/me/o,rows:16,segments:file:p"});
  EXPECT_EQ(records, (std::vector<std::string>{"ladder", "--records=a.jsonl", "--data",
                                               "file:x.npy", "--tuning=b", "--backends=kokkos/cuda",
                                               "--shape=segments:file:o,rows:16,segments:file:p"}));
}

TEST_F(Resume, TakesTheSameContentOfTheDataFileAlone) {
  const auto measure = [&](int status) {
    return run_to(status,
                  "--rungs=r02 --types=i32 --scope=kernel --samples=2 --resume --data=file:'" +
                      file("data") + "' --records='" + file("of_data.jsonl") + "'");
  };
  folder_.write("data", "abcd");
  measure(0);
  measure(0);
  folder_.write("data", "abce");
  expect_says(measure(2), "holds samples of another file i32 hash (");
}

TEST_F(Resume, KnowsOffsetsByTheirContentToo) {
  Plan plan;
  plan.groups[{"segments:zipf:64", 3}] = {3, {}, {0, 3}};
  EXPECT_FALSE(describe_run({}, plan).contains("file"));
  plan.groups[{"segments:file:o", 0}] = {3, {}, {0, 1, 3}};
  const auto before = describe_run({}, plan)["file"];
  EXPECT_EQ(before["segments:file:o"]["bytes"], 24);
  plan.groups[{"segments:file:o", 0}].offsets[1] = 2;
  EXPECT_NE(describe_run({}, plan)["file"], before);
}

TEST_F(Resume, TakesTheSameDeviceAndBuildAlone) {
  const auto outcome = run_to(2, selection() + "--samples=4 --resume", "FAKE_DRIVER=2.0");
  expect_says(outcome, "another driver (\"1.0\" there, \"2.0\" here)");
  change("run", [](PlainJson& run) { run["commit"] = "c0ffee"; });
  refuses("another commit (\"c0ffee\" there, ");
  change("run", [](PlainJson& run) { run["models"]["cuda"] = {{"version", "13"}}; });
  refuses("another models cuda ({\"version\":\"13\"} there, nothing here)");
}

TEST_F(Resume, TakesNoOtherSchema) {
  change("run", [](PlainJson& run) { run["schema"] = 99; });
  refuses("holds samples of another schema (99 there, 2 here)");
}

TEST_F(Resume, RunsNothingAgainThatWasWrong) {
  change("sample", [](PlainJson& sample) {
    sample["ok"] = false;
    sample["error"] = "wrong result: made up";
  });
  const auto outcome = resume(1);
  expect_says(outcome, "FAILED");
  expect_says(outcome, "wrong result: made up");
  EXPECT_EQ(records("sample").size(), 2U);
}

TEST_F(Resume, PassesOverLinesThatAreNoRecords) {
  for (const auto& wrong :
       {PlainJson(-1e-6), PlainJson(0), PlainJson(nullptr), PlainJson("1e-6"), PlainJson(true)}) {
    change("sample", [&](PlainJson& sample) { sample["seconds"] = wrong; });
    expect_says(resume(), "4/4");
    EXPECT_EQ(records("sample").size(), 6U) << "the two are taken again";
  }
  for (const auto& wrong : {PlainJson("1"), PlainJson(1e300), PlainJson(-1), PlainJson(1L << 40)}) {
    change("run", [&](PlainJson& run) { run["process"]["index"] = wrong; });
    expect_says(resume(), "4/4");
    EXPECT_EQ(records("sample").size(), 6U) << "a study begins";
  }
  std::ofstream(file("records.jsonl"), std::ios::app)
      << R"({"kind":"run","models":)" << std::string(100000, '[') << "\n";
  run_to(0, selection() + "--samples=4 --resume");
}

TEST_F(Resume, GoesOnWithTheLastOfTwoStudiesAndCountsNoSampleOfTheOther) {
  run_to(0, selection() + "--samples=2");
  ASSERT_EQ(records("sample").size(), 4U);
  expect_says(resume(), "4/4");
  EXPECT_EQ(records("sample").size(), 6U);
  const auto runs = records("run");
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[2]["process"]["group"], runs[1]["process"]["group"]);
}

TEST_F(Resume, SaysNothingWhereNothingIsLeftToTake) {
  run_to(0, selection() + "--samples=2 --no-ceilings");
  const auto again = run_to(0, selection() + "--samples=2 --no-ceilings --resume");
  expect_says(again, "2/2");
  EXPECT_EQ(again.text.find("match any benchmarks"), std::string::npos) << again.text;
}

TEST_F(Resume, TakesAnErrorWithoutBound) {
  change("sample", [](PlainJson& sample) { sample["ulps"] = nullptr; });
  expect_says(resume(), "4/4");
}

}  // namespace
}  // namespace ladder::bench
