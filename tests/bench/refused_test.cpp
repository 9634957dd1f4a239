// Input that the program refuses with a message before it measures anything; and the file of
// --records: valid names, and files that it appends to.

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

TEST_F(Program, ExitsWithTwoWhereItCannotRunAsAsked) {
  for (const auto* wrong :
       {"--rungs=r99", "--types=f12", "--block=2x", "--backends=absent", "--backends=nobody",
        "--nonsense", "--sweep=all", "--grid=4y", "--benchmark_nonsense",
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

TEST_F(Program, RefusesDevicesThatNoBackendWouldUse) {
  const std::string some = "--rungs=r02 --sizes=2^10 --samples=1 ";
  expect_says(run_to(2, some + "--device=1", "FAKE_KIND=cpu"),
              "ladder: --devices: names GPUs, and none is measured\n  absent: no such device");
  for (const auto* several : {"--devices=0,1", "--devices=all"})
    expect_says(run_to(2, some + several),
                "--devices: a backend here takes one; those of the presets");
  run_to(0, some + "--device=1");
}

TEST_F(Program, FailsWhereGoogleBenchmarksReportIsLost) {
  const auto outcome = run_to(1, "--rungs=r02 --sizes=2^10 --samples=2 --benchmark_out=/dev/full");
  expect_says(outcome, "2/2");
  expect_says(outcome, "ladder: failed: --benchmark_out=/dev/full: writing failed");
}

TEST_F(Program, FailsWhereItsOutputIsLost) {
  for (const auto* what : {"--list", "--version", "--rungs=r02 --sizes=2^10 --samples=2"}) {
    const auto outcome = run(std::string(what) + " 2>&1 >/dev/full #");
    EXPECT_EQ(outcome.status, 1) << what;
    expect_says(outcome, "ladder: the standard output could not be written");
  }
}

class RecordsFiles : public Program {
 protected:
  Outcome record(int status = 0) const {
    return run_to(status, "--rungs=r02 --sizes=2^10 --samples=2 --scope=kernel" + records_option());
  }
  void refuses_to_append_to(const std::string& content) const {
    std::ofstream(file("records.jsonl"), std::ios::binary) << content;
    const auto outcome = record(2);
    expect_says(outcome, "holds something else than records; name a new file");
    std::ifstream stream(file("records.jsonl"), std::ios::binary);
    const std::string after{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(after, content) << "left as it was";
  }
};

TEST_F(RecordsFiles, AreNotAppendedToWhatIsNone) {
  refuses_to_append_to("a letter\n");
  refuses_to_append_to("[1, 2]\n");
  refuses_to_append_to(R"({"name": "x"})");
  refuses_to_append_to("{\n  \"context\": {}\n}\n");
  refuses_to_append_to("\x1f\x8b\x08 gzip");
}

TEST_F(RecordsFiles, AreAppendedToOthersAndToEmptyOnes) {
  std::ofstream(file("records.jsonl")).close();
  record();
  record();
  EXPECT_EQ(records("run").size(), 2U);
  std::ofstream(file("records.jsonl")) << R"({"run": "a", "kind": "evidence"})"
                                       << "\n";
  record();
  std::ofstream(file("records.jsonl")) << R"({"run": "a", "kind": "evidence"})";  // no end of line
  record();
}

TEST_F(RecordsFiles, HaveOneWriterAtATime) {
  record();
  const int other = open(file("records.jsonl").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  const auto refused = record(2);
  expect_says(refused, "another process is writing to it; name another file, or wait for its end");
  close(other);
  record();
}

}  // namespace
}  // namespace ladder::bench
