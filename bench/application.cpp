#include "bench/application.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/output/tables.hpp"
#include "bench/results/results.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// True if any row failed, is wrong, or exceeds its ceiling on a GPU.
bool any_bad(const Results& results) {
  return std::ranges::any_of(results.rows, [&](const Row& row) {
    return !row.good() ||
           (row.measurement.device().facts().kind == "gpu" && above_ceiling(results, row));
  });
}

/// Discards all output to std::cout and std::cerr.
void print_nothing() {
  auto nowhere = std::make_unique<std::ofstream>("/dev/null");
  for (auto* stream : {&std::cout, &std::cerr}) stream->rdbuf(nowhere->rdbuf());
  (void)nowhere.release();  // never freed: both streams keep using it
}

/// Disables all output files; only rank 0 writes.
void leave_writing_to_the_first(Selection& selection) {
  selection.records.clear();
  selection.resume = false;
  selection.benchmark_out.clear();
}

[[noreturn]] void refuse_nothing(const Plan& plan, const LeftOut& left_out, const char* why) {
  print_left_out(std::cerr, plan, left_out);
  throw NotPossible(concat("nothing to measure: ", why));
}

constexpr const char* process_variable = "LADDER_PROCESS";

/// Runs this executable with `arguments` as the given process and waits for it. Returns its exit
/// status, or 128 + signal number if a signal ended it, as a shell does.
int start(std::vector<std::string> arguments, const Process& process) {
  const auto setting =
      concat(process.index, "/", process.of, "/", process.places, "/", process.group);
  setenv(process_variable, setting.c_str(), 1);
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

/// Creates an in-memory file and returns a path that this process and its children can open.
std::string file_in_memory() {
  const int file = memfd_create("records", 0);
  if (file < 0) throw NotPossible(concat("--processes: ", std::strerror(errno)));
  return concat("/proc/self/fd/", file);
}

/// The process that `run_processes` started this executable as; 1 of 1 without it.
Process this_process() {
  Process process;
  const char* const setting = std::getenv(process_variable);
  if (setting == nullptr) return process;
  unsigned long long places = 0;
  int group = 0;  // offset of the group in `setting`
  std::sscanf(setting, "%u/%u/%llu/%n", &process.index, &process.of, &places, &group);
  if (group == 0)
    throw NotPossible(
        concat(process_variable, "=", setting, ": is set by --processes alone; unset it"));
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // terminate when the parent does
  process.group = setting + group;
  process.places = places;
  return process;
}

/// Runs this executable, with the same command line, for each process of the study that is not yet
/// finished in the records file. The last process prints the table over all. Returns the largest
/// exit status; stops at the first status above 1 (usage error, lost device, signal).
int run_processes(const Selection& selection, char** argv) {
  std::vector<std::string> arguments(argv, argv + selection.command.size());
  // The last process reads the records of all.
  if (selection.records.empty()) arguments.push_back("--records=" + file_in_memory());
  StudySoFar before;
  if (selection.resume) before = study_so_far(selection);
  if (before.group.empty()) before.group = new_run_id();
  int worst = 0;
  for (unsigned index = 1; index <= selection.processes && worst <= 1; ++index) {
    // The last process prints the table, so it always runs, even without samples left to take.
    const auto& recorded = before.processes[index];
    const bool lacks_samples = std::ranges::any_of(recorded.samples, [&](const auto& one) {
      return one.second.seconds.size() < selection.samples.value_or(0);
    });
    if (index < selection.processes && recorded.finished && !lacks_samples) continue;
    const int status = start(arguments, {index, selection.processes, before.group,
                                         std::random_device{}() | std::uint64_t{1}});
    worst = std::max(worst, status);
    if (status > 128)
      std::cerr << "ladder: process " << index << " of " << selection.processes
                << " was ended by signal " << status - 128 << " (" << strsignal(status - 128)
                << "); with --records, the same command with --resume goes on\n";
  }
  return worst;
}

/// Executes the plan, writes the records and prints the tables. Returns the exit status.
int measure(const Selection& selection, const Plan& plan, Process process, Ranks* ranks) {
  Records records(selection, plan);
  const auto before = selection.resume ? study_to_resume(selection, plan, process) : StudySoFar{};
  records.run(process);
  Study study(selection, plan, process, records, ranks);
  const Results& results = study.results();
  bool written = false;
  try {
    study.prepare();
    if (results.rows.empty()) refuse_nothing(plan, results.left_out, "no rung can be had as asked");
    if (selection.energy) {
      study.measure_energy();
      print_energy(std::cout, results);
      return any_bad(results) ? 1 : 0;
    }
    written = study.run(before);
    if (!leads(ranks)) return 0;
  } catch (const NotPossible&) {
    throw;
  } catch (const std::exception& error) {
    study.end_where_lost(error.what());
    throw;
  }
  if (process.index == process.of) {  // the study's last process prints the tables
    if (process.of > 1) add_other_processes(study.results(), selection, process);
    print_tables(std::cout, results, selection.profile);
  }
  if (!written)
    throw std::runtime_error(
        concat("--benchmark_out=", selection.benchmark_out, ": writing failed"));
  return any_bad(results) ? 1 : 0;
}

int run(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends,
        Ranks* ranks) {
  auto parsed = parse_command_line(argc, argv);
  if (!parsed) return 0;
  if (!leads(ranks)) leave_writing_to_the_first(*parsed);
  const Selection& selection = *parsed;
  if (selection.list) {
    print_list(std::cout, backends, selection.list_format == "json");
    return 0;
  }
  // The first backend that opens the host device reads these variables.
  if (!selection.cpu_targets.empty())
    setenv("LADDER_CPU_TARGETS", selection.cpu_targets.c_str(), 1);
  if (!selection.pages.empty()) setenv("LADDER_PAGES", selection.pages.c_str(), 1);
  const Process process = this_process();
  const bool measures = !selection.list_tests && !selection.dry_run;
  if (measures && selection.processes > process.of) {
    if (ranks != nullptr)
      throw NotPossible("--processes: not of ranks; start mpirun once for each process");
    return run_processes(selection, argv);
  }
  initialize_benchmark(selection);
  const Plan plan = make_plan(selection, backends);
  if (selection.list_tests) {
    for (const auto& m : plan.measurements) std::cout << m.name() << "\n";
    return 0;
  }
  if (plan.measurements.empty())
    refuse_nothing(plan, plan.left_out,
                   selection.filter.empty()
                       ? "the selection leaves no rung that can be run here"
                       : "the selection and --benchmark_filter leave no rung that can be run here");
  if (selection.dry_run) {
    print_plan(std::cout, plan, selection.processes, estimated_seconds(selection, plan));
    return 0;
  }
  return measure(selection, plan, process, ranks);
}

/// Flushes std::cout. Returns `status`, or at least 1 if the output could not be written.
int with_output_written(int status) {
  errno = 0;
  if (std::cout.flush()) return status;
  std::cerr << "ladder: the standard output could not be written";
  if (errno != 0) std::cerr << ": " << std::strerror(errno);
  std::cerr << "\n";
  return std::max(status, 1);
}

}  // namespace

int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends) {
  // Set the process name for ps, pgrep and pkill: a start by /proc/self/exe would name it "exe".
  prctl(PR_SET_NAME, program_invocation_short_name);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file-size limit becomes a write error
  Ranks* const ranks = ranks_of(backends);
  if (!leads(ranks)) print_nothing();
  const auto failed = [&](int status, const std::string& what) {
    if (ranks == nullptr || ranks->all_fail(status, what)) std::cerr << "ladder: " << what << "\n";
    return status;
  };
  try {
    return with_output_written(run(argc, argv, backends, ranks));
  } catch (const NotPossible& error) {
    return failed(2, error.what());
  } catch (const DeviceLost& error) {
    return failed(lost_status, concat("failed: ", error.what()));
  } catch (const std::exception& error) {
    return failed(1, concat("failed: ", error.what()));
  }
}

}  // namespace ladder::bench
