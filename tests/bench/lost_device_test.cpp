// A failure in a long study costs one measurement, not the study.

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "program.hpp"

namespace ladder::bench {
namespace {

constexpr int lost = 3;

class Lost : public Program {
 protected:
  std::string selection(const std::string& rungs = "r02,r06") const {
    return "--rungs=" + rungs + " --sizes=2^10 --scope=kernel --samples=8" + records_option();
  }
  /// Returns the environment that loses the device at that call.
  std::string losing(int call, const std::string& what) const {
    return "FAKE_LOST='" + std::to_string(call) + " " + what + " /tmp/" + mark() + "'";
  }
  std::string mark() const { return "ladder-lost-" + std::to_string(getpid()); }
  void forget() const {
    fs::remove(file("records.jsonl"));
    fs::remove("/tmp/" + mark());
  }
  void TearDown() override {
    forget();
    Program::TearDown();
  }
  std::vector<PlainJson> at(const std::string& when) const {
    std::vector<PlainJson> found;
    for (const auto& one : records("conditions"))
      if (one["at"] == when) found.push_back(one);
    return found;
  }
  std::size_t right_samples() const {
    std::size_t count = 0;
    for (const auto& sample : records("sample")) count += sample["ok"].get<bool>() ? 1U : 0U;
    return count;
  }
};

TEST_F(Lost, EndsTheProcessWithThreeAndIsGoneOnWithInTheSameProcess) {
  const auto first = run_to(lost, selection("r02,loses,r06"));
  expect_says(first, "ladder: failed: device lost: an illegal memory access was encountered");
  expect_says(first, "(reduce/fake/loses/f32/sum/n:1024/exact/cold/kernel)");
  expect_says(first, "the same command with --resume goes on");
  ASSERT_EQ(at("lost").size(), 1U);
  EXPECT_TRUE(at("end").empty());
  std::string id;
  for (const auto& m : records("measurement"))
    if (m["slug"] == "loses" || m["rung"] == "loses") id = m["id"];
  EXPECT_EQ(at("lost")[0]["id"], id);
  EXPECT_EQ(at("lost")[0]["error"].get<std::string>().rfind("device lost: ", 0), 0U);
  const auto outcome = run_to(1, selection("r02,loses,r06") + "--resume");
  expect_says(outcome, "FAILED");
  expect_says(outcome, "device lost: an illegal memory access");
  expect_says(outcome, "8/8");
  const auto runs = records("run");
  ASSERT_EQ(runs.size(), 2U);
  for (const auto* field : {"index", "of", "group"})
    EXPECT_EQ(runs[1]["process"][field], runs[0]["process"][field]);
  EXPECT_EQ(right_samples(), 16U);
  EXPECT_EQ(at("lost").size(), 1U) << "it was not run again";
  EXPECT_EQ(records("summary").size(), 3U);
}

TEST_F(Lost, AtAnyCallLosesNoSampleThatWasRecorded) {
  for (const auto* what : {"gone", "ecc", "reset"}) {
    int call = 1, losses = 0;
    for (;; call += call < 60 ? 1 : 7) {
      forget();
      const auto first = run(selection(), losing(call, what));
      if (first.status == 0) break;  // the program makes fewer calls
      ASSERT_EQ(first.status, lost) << what << " at call " << call << first.text;
      expect_says(first, "device lost: ");
      ++losses;
      if (!fs::exists(file("records.jsonl"))) continue;  // lost before the file existed
      const auto kept = right_samples();
      ASSERT_EQ(at("lost").size(), 1U) << what << " at call " << call;
      const auto second = run(selection() + "--resume", losing(call, what));
      if (std::string(what) == "gone") {
        ASSERT_EQ(second.status, 2) << second.text;
        expect_says(second, "no such device is seen here");
        ASSERT_EQ(right_samples(), kept);
      } else {
        ASSERT_LE(second.status, 1) << what << " at call " << call << second.text;
        ASSERT_GE(right_samples(), std::max<std::size_t>(kept, 8)) << what << " at call " << call;
      }
    }
    EXPECT_GT(losses, 60) << what;
  }
}

TEST_F(Lost, OneOfSeveralProcessesGoesOn) {
  const std::string several = selection() + "--processes=3 ";
  run_to(lost, several, losing(300, "reset"));
  const auto outcome = run(several + "--resume", losing(300, "reset"));
  EXPECT_LE(outcome.status, 1) << outcome.text;
  std::vector<int> indices;
  for (const auto& one : records("run")) indices.push_back(one["process"]["index"]);
  EXPECT_EQ(indices, (std::vector{1, 1, 2, 3}));
  expect_says(outcome, "over 3 processes");
}

TEST_F(Lost, ByARunThatDoesNotComeBack) {
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = run(selection("r02,spins") + "--watchdog=1");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_EQ(outcome.status, lost) << outcome.text;
  expect_says(outcome, "device lost: no answer within 1 s (--watchdog) (reduce/fake/spins/");
  EXPECT_EQ(at("lost").size(), 1U);
  run_to(1, selection("r02,spins") + "--watchdog=1 --resume");
}

TEST_F(Lost, ByALibraryThatEndsTheProgram) {
  const auto outcome = run_to(lost, selection("r02,aborts"));
  expect_says(outcome, "device lost: the run-time library ended the program (SIGABRT)");
  run_to(1, selection("r02,aborts") + "--resume");
  EXPECT_GE(right_samples(), 8U);
}

TEST_F(Lost, WhileItsEnergyIsMeasured) {
  run_to(lost, "--energy --rungs=loses --sizes=2^10" + records_option(), "FAKE_ENERGY=1");
  ASSERT_EQ(at("lost").size(), 1U);
  EXPECT_TRUE(records("energy").empty());
}

TEST_F(Lost, NeverWhereThereIsNoTimeLimit) { run_to(0, selection() + "--watchdog=0"); }

using Fault = Lost;

TEST_F(Fault, AFullDiskIsToldAndLeavesWhatWasWritten) {
  const std::string many = "--rungs=r02,r06 --sizes=2^10 --scope=kernel" + records_option();
  // A limit on file size simulates a full disk: 16 blocks of 512 bytes.
  const auto outcome = run_to(2, many + "--samples=1000", "ulimit -f 16;");
  expect_says(outcome, "writing failed: File too large");
  std::ifstream stream(file("records.jsonl"));
  std::size_t whole = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto record = PlainJson::parse(line, nullptr, false);
    if (!record.is_discarded() && record["kind"] == "sample") ++whole;
  }
  EXPECT_GT(whole, 0U);
  const auto more = run_to(0, many + "--resume --samples=40");
  expect_says(more, "40/40");
}

}  // namespace
}  // namespace ladder::bench
