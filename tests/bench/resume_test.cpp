// What the program takes for a file of records, and for samples that it may resume.

#include <csignal>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

class Resume : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(run(selection() + "--samples=2").status, 0);
    const auto all = records();
    ASSERT_FALSE(all.empty());
    for (const auto& record : all) begun_.push_back(record);
  }
  std::string selection() const {
    return "--rungs=r02 --sizes=2^10 --scope=kernel" + records_option();
  }
  /// The file again, `change` of each record of that kind.
  template <class Change>
  void change(const std::string& kind, Change change) const {
    std::ofstream stream(file("records.jsonl"));
    for (auto record : begun_) {
      if (record["kind"] == kind) change(record);
      stream << record << "\n";
    }
  }
  Outcome resume() const { return run(selection() + "--samples=4 --resume"); }
  void refuses(const std::string& words) const {
    const auto outcome = resume();
    EXPECT_EQ(outcome.status, 2) << outcome.text;
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
  const auto outcome = resume();
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "4/4");
  std::ifstream stream(file("records.jsonl"));
  int samples = 0;
  for (std::string line; std::getline(stream, line);)
    samples += line.starts_with(R"({"kind":"sample")") && line.ends_with("}") ? 1 : 0;
  EXPECT_EQ(samples, 4);
}

TEST_F(Resume, TakesTheSameCommandAlone) {
  const auto outcome = run(selection() + " --seed=5 --resume");
  EXPECT_EQ(outcome.status, 2) << outcome.text;
  expect_says(outcome, "holds samples of another command (nothing there, --seed=5 here)");
  const auto in_other_order =
      run("--resume --samples=3 --scope=kernel --sizes=2^10" + records_option() + "--rungs=r02");
  EXPECT_EQ(in_other_order.status, 0) << in_other_order.text;
  expect_says(in_other_order, "3/3");
}

TEST_F(Resume, TakesTheSameDeviceAndBuildAlone) {
  const auto outcome = run(selection() + "--samples=4 --resume", "FAKE_DRIVER=2.0");
  EXPECT_EQ(outcome.status, 2);
  expect_says(outcome, "another fake:0 facts driver value (\"1.0\" there, \"2.0\" here)");
  change("run", [](PlainJson& run) { run["commit"] = "c0ffee"; });
  refuses("another commit (\"c0ffee\" there, ");
  change("run", [](PlainJson& run) { run["models"]["cuda"] = {{"version", "13"}}; });
  refuses("another cuda version (\"13\" there, nothing here)");
}

TEST_F(Resume, TakesNoOtherSchemaEvenWithoutSamples) {
  change("run", [](PlainJson& run) { run["schema"] = 99; });
  refuses("holds samples of another schema (99 there, 2 here)");
  std::ofstream(file("records.jsonl")) << R"({"kind":"run","run":"a"})"
                                       << "\n";
  refuses("holds samples of another schema (nothing there, 2 here)");
}

TEST_F(Resume, TakesNoWrongSample) {
  change("sample", [](PlainJson& sample) { sample["ok"] = false; });
  refuses("a wrong or failed sample: begin a new file");
}

TEST_F(Resume, TakesNoTimeThatCannotBe) {
  for (const auto& wrong :
       {PlainJson(-1e-6), PlainJson(0), PlainJson(nullptr), PlainJson("1e-6"), PlainJson(true)}) {
    change("sample", [&](PlainJson& sample) { sample["seconds"] = wrong; });
    refuses("a sample whose time cannot be (" + wrong.dump() + " s): begin a new file");
  }
  change("sample", [](PlainJson& sample) { sample.erase("seconds"); });
  refuses("a sample whose time cannot be (null s)");
  for (const auto* wrong : {"NaN", "1e999"}) {  // no numbers of JSON: the line counts for nothing
    change("sample", [](PlainJson&) {});
    const auto id = begun_.front()["run"].get<std::string>();
    std::ofstream(file("records.jsonl"), std::ios::app)
        << R"({"kind":"sample","run":")" << id << R"(","id":"a","ok":true,"seconds":)" << wrong
        << "}\n";
    expect_says(resume(), "4/4");
  }
}

TEST_F(Resume, NamesTheLineThatItCannotRead) {
  for (const auto& wrong :
       {PlainJson(-1), PlainJson(4294967297), PlainJson(1e300), PlainJson("1"), PlainJson(1.5)}) {
    change("run", [&](PlainJson& run) { run["process"]["index"] = wrong; });
    refuses("a line that cannot be read (line 1)");
  }
  change("run", [](PlainJson& run) { run["models"] = 3; });
  refuses("a line that cannot be read (line 1)");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  for (const auto* id : {"a", R"(a\"[[[)"}) {
    std::ofstream(file("records.jsonl"))
        << R"({"kind":"run","run":")" << id << R"(","schema":2,"models":)" << deep << "}\n";
    refuses("a line that cannot be read (line 1)");
  }
}

TEST_F(Resume, GoesOnWithTheLastOfTwoStudiesAndCountsNoSampleOfTheOther) {
  ASSERT_EQ(run(selection() + "--samples=2").status, 0);
  ASSERT_EQ(records("sample").size(), 4U);
  const auto outcome = resume();
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "4/4");
  EXPECT_EQ(records("sample").size(), 6U);
  const auto runs = records("run");
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[2]["process"]["group"], runs[1]["process"]["group"]);
}

TEST_F(Resume, TakesAnErrorWithoutBound) {
  change("sample", [](PlainJson& sample) { sample["ulps"] = nullptr; });
  const auto outcome = resume();
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "4/4");
}

class RecordsFiles : public Program {
 protected:
  Outcome record() const {
    return run("--rungs=r02 --sizes=2^10 --samples=2 --scope=kernel" + records_option());
  }
  void refuses_to_append_to(const std::string& content) const {
    std::ofstream(file("records.jsonl"), std::ios::binary) << content;
    const auto outcome = record();
    EXPECT_EQ(outcome.status, 2) << content << outcome.text;
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
  refuses_to_append_to("\x1f\x8b\x08 gzip");
}

TEST_F(RecordsFiles, AreAppendedToOthersAndToEmptyOnes) {
  std::ofstream(file("records.jsonl")).close();
  EXPECT_EQ(record().status, 0);
  EXPECT_EQ(record().status, 0);
  EXPECT_EQ(records("run").size(), 2U);
  std::ofstream(file("records.jsonl")) << R"({"run": "a", "kind": "evidence"})"
                                       << "\n";
  EXPECT_EQ(record().status, 0);
  std::ofstream(file("records.jsonl")) << R"({"run": "a", "kind": "evidence"})";  // no end of line
  EXPECT_EQ(record().status, 0);
}

TEST_F(RecordsFiles, BeginANewLineWhereAKillCutTheLast) {
  std::ofstream(file("records.jsonl")) << R"({"kind":"sample","ru)";
  EXPECT_EQ(record().status, 0);
  std::ifstream stream(file("records.jsonl"));
  std::string torn, next;
  std::getline(stream, torn);
  std::getline(stream, next);
  EXPECT_EQ(PlainJson::parse(next)["kind"], "run");
}

TEST_F(RecordsFiles, MayHaveAnyName) {
  const auto before = fs::current_path();
  fs::current_path(folder_);
  const std::vector<std::string> common{"--rungs=r02", "--sizes=2^10", "--scope=kernel"};
  for (const std::string name :
       {"-x.jsonl", "--resume", "a b.jsonl", "it's.jsonl", "\"so\".jsonl", "$(touch ran).jsonl",
        "`touch ran`", "; touch ran;", "%s%n.jsonl", "two\nlines.jsonl", "*"}) {
    auto words = common;
    words.insert(words.end(), {"--samples=2", "--processes=2", "--records=" + name});
    EXPECT_EQ(run_on_terminal(100, words).status, 0) << name;
    words.emplace_back("--resume");
    words[common.size()] = "--samples=3";
    const auto outcome = run_on_terminal(100, words);
    EXPECT_EQ(outcome.status, 0) << name << outcome.text;
    EXPECT_TRUE(fs::is_regular_file(name)) << name;
    fs::remove(name);
  }
  std::ofstream("-x '.raw", std::ios::binary).write("\0\0\x80\x3f\0\0\0\x40", 8);  // 1, 2 as floats
  EXPECT_EQ(run_on_terminal(100, {"--rungs=r02", "--samples=2", "--data=file:-x '.raw"}).status, 0);
  EXPECT_FALSE(fs::exists("ran"));
  fs::current_path(before);
}

TEST_F(RecordsFiles, HaveOneWriterAtATime) {
  ASSERT_EQ(record().status, 0);
  const int other = open(file("records.jsonl").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  const auto refused = record();
  EXPECT_EQ(refused.status, 2);
  expect_says(refused, "another process is writing to it; name another file, or wait for its end");
  close(other);
  EXPECT_EQ(record().status, 0);
}

/// The program on a selection of many samples, stopped by `signal` once it has recorded one, and
/// told so once more after each of `again` microseconds while it runs; or the process alone that it
/// has started. Where samples take long (FAKE_SAMPLE_MS), it is stopped in the middle of one.
class Stopped : public Program {
 protected:
  Outcome stop(int signal, const std::string& more = "", const std::vector<useconds_t>& again = {},
               bool its_child = false) const {
    const std::string log = file("log");
    const std::string begun = file("begun");
    fs::remove(begun);
    // exec: the signal is for the program and not for its shell.
    const pid_t shell = fork();
    if (shell == 0) {
      setenv("FAKE_SAMPLE_BEGUN", begun.c_str(), 1);
      ::signal(signal, SIG_DFL);  // a shell that starts this in the background has Ctrl-C ignored
      const auto program =
          (fs::read_symlink("/proc/self/exe").parent_path() / "ladder_on_fakes").string();
      const std::string command =
          "exec '" + program + "' --rungs=r02 --sizes=2^16 --scope=kernel " + "--samples=1000000 " +
          records_option() + more + " >'" + log + "' 2>&1";
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    const bool long_samples = std::getenv("FAKE_SAMPLE_MS") != nullptr;
    for (int i = 0; i < 1000 && !(long_samples ? fs::exists(begun) : has_sample()); ++i)
      usleep(10000);
    names_ = {named(shell)};
    const auto of = std::to_string(shell);
    std::ifstream children("/proc/" + of + "/task/" + of + "/children");
    pid_t stopped = shell;
    for (pid_t child = 0; children >> child;) {
      names_.insert(named(child));
      if (its_child) stopped = child;
    }
    kill(stopped, signal);
    for (const auto pause : again) {
      usleep(pause);
      if (ended(stopped)) break;
      kill(stopped, signal);
    }
    int status = 0;
    waitpid(shell, &status, 0);
    std::ifstream stream(log);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            std::string(std::istreambuf_iterator<char>(stream), {})};
  }
  static bool ended(pid_t process) {
    siginfo_t of{};
    return waitid(P_PID, static_cast<id_t>(process), &of, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           of.si_pid == process;
  }
  /// What ps calls a process.
  static std::string named(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
  }
  bool has_sample() const {
    std::ifstream stream(file("records.jsonl"));
    for (std::string line; std::getline(stream, line);)
      if (line.starts_with(R"({"kind":"sample")")) return true;
    return false;
  }

  mutable std::multiset<std::string> names_;  ///< of what was stopped and of what it had started
};

TEST_F(Stopped, HasItsNameInEachProcess) {
  EXPECT_EQ(stop(SIGTERM, " --processes=2").status, 143);
  EXPECT_EQ(names_, (std::multiset<std::string>{"ladder_on_fakes", "ladder_on_fakes"}));
}

TEST_F(Stopped, SaysWhatIsKeptAndHowToGoOn) {
  for (const auto& [signal, status, name] :
       {std::tuple{SIGINT, 130, "Ctrl-C"}, std::tuple{SIGTERM, 143, "SIGTERM"}}) {
    fs::remove(file("records.jsonl"));
    const auto outcome = stop(signal);
    EXPECT_EQ(outcome.status, status) << outcome.text;
    const auto kept = std::to_string(records("sample").size());
    expect_says(outcome, "ladder: stopped by " + std::string(name) + "; " + kept + " sample");
    expect_says(outcome,
                " in " + file("records.jsonl") + ": the same command with --resume goes on");
  }
}

/// As `timeout` does, and a batch system, which tell a process and then its whole group.
TEST_F(Stopped, TakesWhatComesAtOnceForTheSameWish) {
  setenv("FAKE_SAMPLE_MS", "300", 1);
  const auto outcome = stop(SIGTERM, "", {50, 50000});
  unsetenv("FAKE_SAMPLE_MS");
  EXPECT_EQ(outcome.status, 143) << outcome.text;
  expect_says(outcome, "ladder: stopping after what is under way");
  expect_says(outcome, "ladder: stopped by SIGTERM; ");
}

TEST_F(Stopped, EndsAtOnceWhereItIsToldLaterOn) {
  setenv("FAKE_SAMPLE_MS", "60000", 1);
  // More than once: a busy machine may hand on the first signal late.
  const auto outcome = stop(SIGINT, "", std::vector<useconds_t>(20, 1100000));
  unsetenv("FAKE_SAMPLE_MS");
  EXPECT_EQ(outcome.status, -SIGINT) << outcome.text;
  expect_says(outcome, "ladder: stopping after what is under way");
}

TEST_F(Stopped, HandsOnHowAProcessOfSeveralWasKilled) {
  EXPECT_EQ(stop(SIGKILL, " --processes=2", {}, true).status, 128 + SIGKILL);
  EXPECT_EQ(records("run").size(), 1U) << "none was started behind it";
}

TEST_F(Stopped, GoesOnWithoutALoss) {
  stop(SIGTERM);
  const auto before = records("sample").size();
  const auto outcome =
      run("--rungs=r02 --sizes=2^16 --scope=kernel --samples=" + std::to_string(before + 3) +
          " --resume" + records_option());
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_EQ(records("sample").size(), before + 3);
}

}  // namespace
}  // namespace ladder::bench
