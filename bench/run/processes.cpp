#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/records/records.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {
namespace {

constexpr const char* variable = "LADDER_PROCESS";

/// Starts this executable with these arguments as that process, and waits for it. Returns its exit
/// status; of one that was stopped by a signal 128 and its number, as a shell does.
int start(std::vector<std::string> arguments, const Process& process) {
  const auto setting =
      concat(process.index, "/", process.of, "/", process.places, "/", process.group);
  setenv(variable, setting.c_str(), 1);
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t started = 0;
  const int problem =
      posix_spawn(&started, "/proc/self/exe", nullptr, nullptr, words.data(), environ);
  if (problem != 0) throw NotPossible(concat("--processes: ", std::strerror(problem)));
  int status = 0;
  waitpid(started, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// The name of a file in memory that this process and those that it starts can open.
std::string file_in_memory() {
  const int file = memfd_create("records", 0);
  if (file < 0) throw NotPossible(concat("--processes: ", std::strerror(errno)));
  return concat("/proc/self/fd/", file);
}

}  // namespace

Process this_process() {
  Process process;
  const char* const setting = std::getenv(variable);
  if (setting == nullptr) return process;
  unsigned long long places = 0;
  int group = 0;  // where it begins
  std::sscanf(setting, "%u/%u/%llu/%n", &process.index, &process.of, &places, &group);
  if (group == 0)
    throw NotPossible(concat(variable, "=", setting, ": is set by --processes alone; unset it"));
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // what stops the process that started this one, stops both
  process.group = setting + group;
  process.places = places;
  return process;
}

int run_processes(const Selection& selection, char** argv) {
  std::vector<std::string> arguments(argv, argv + selection.command.size());
  // The last process reads the records of all.
  if (selection.records.empty()) arguments.push_back("--records=" + file_in_memory());
  StudySoFar before;
  if (selection.resume) before = study_so_far(selection);
  if (before.group.empty()) before.group = new_run_id();
  int worst = 0;
  for (unsigned index = 1; index <= selection.processes && worst <= 1; ++index) {
    // The last one prints what all have found, and so runs in any case: it may take no sample more.
    if (index < selection.processes && before.processes[index].finished) continue;
    const int status = start(arguments, {index, selection.processes, before.group,
                                         std::random_device{}() | std::uint64_t{1}});
    worst = std::max(worst, status);
  }
  return worst;
}

}  // namespace ladder::bench
