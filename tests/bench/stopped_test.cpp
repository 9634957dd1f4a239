// Signals: to one process, and to one that has started others. The rest is
// tests/long_study_test.py's.

#include <csignal>
#include <set>
#include <string>

#include <sys/wait.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

/// The program on a selection of many samples, stopped by `signal` once it has recorded one; or the
/// process alone that it has started.
class Stopped : public Program {
 protected:
  Outcome stop(int signal, const std::string& more = "", bool its_child = false) const {
    const std::string log = file("log");
    // exec: the signal is for the program and not for its shell.
    const pid_t shell = fork();
    if (shell == 0) {
      const auto program =
          (fs::read_symlink("/proc/self/exe").parent_path() / "ladder_on_fakes").string();
      const std::string command =
          "exec '" + program + "' --rungs=r02 --sizes=2^16 --scope=kernel " + "--samples=1000000 " +
          records_option() + more + " >'" + log + "' 2>&1";
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int i = 0; i < 1000 && !has_sample(); ++i) usleep(10000);
    names_ = {named(shell)};
    const auto of = std::to_string(shell);
    std::ifstream children("/proc/" + of + "/task/" + of + "/children");
    pid_t stopped = shell;
    for (pid_t child = 0; children >> child;) {
      names_.insert(named(child));
      child_ = child;
      if (its_child) stopped = child;
    }
    kill(stopped, signal);
    int status = 0;
    waitpid(shell, &status, 0);
    std::ifstream stream(log);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            std::string(std::istreambuf_iterator<char>(stream), {})};
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
  mutable pid_t child_ = 0;
};

TEST_F(Stopped, EndsTheProcessThatItHasStarted) {
  EXPECT_EQ(stop(SIGTERM, " --processes=2").status, -SIGTERM);
  EXPECT_EQ(names_, (std::multiset<std::string>{"ladder_on_fakes", "ladder_on_fakes"}));
  const auto runs = [&] {
    return !named(child_).empty() && fs::exists("/proc/" + std::to_string(child_) + "/exe");
  };
  for (int i = 0; i < 1000 && runs(); ++i) usleep(10000);
  EXPECT_FALSE(runs());
}

TEST_F(Stopped, HandsOnHowAProcessOfSeveralWasKilled) {
  EXPECT_EQ(stop(SIGKILL, " --processes=2", true).status, 128 + SIGKILL);
  EXPECT_EQ(records("run").size(), 1U) << "none was started behind it";
}

}  // namespace
}  // namespace ladder::bench
