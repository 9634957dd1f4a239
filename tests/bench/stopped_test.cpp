// Ctrl-C, SIGTERM and SIGKILL at moments that only a fake device can be caught at: the rest is
// tests/long_study_test.py's.

#include <csignal>
#include <set>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

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

}  // namespace
}  // namespace ladder::bench
