#include "bench/application.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>

#include <sys/prctl.h>

#include "bench/output/tables.hpp"
#include "bench/results/results.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// Whether a row is wrong or failed, or is too fast to be true.
bool any_bad(const Results& results) {
  return std::ranges::any_of(results.rows, [&](const Row& row) {
    return !row.good() ||
           (row.measurement.device().facts().kind == "gpu" && above_ceiling(results, row));
  });
}

bool any_bad_energy(const Results& results) {
  const auto is_bad = [](const EnergyRound& one) { return !one.error.empty(); };
  return std::ranges::any_of(
      results.rows, [&](const Row& row) { return std::ranges::any_of(row.energy, is_bad); });
}

/// Drops what is printed to both standard streams.
void print_nothing() {
  auto nowhere = std::make_unique<std::ofstream>("/dev/null");
  for (auto* stream : {&std::cout, &std::cerr}) stream->rdbuf(nowhere->rdbuf());
  (void)nowhere.release();  // lives as long as they do
}

/// Of several ranks the first alone writes.
void leave_writing_to_the_first(Selection& selection) {
  selection.records.clear();
  selection.resume = false;
  selection.benchmark_out.clear();
}

[[noreturn]] void refuse_nothing(const Plan& plan, const LeftOut& left_out, const char* why) {
  print_left_out(std::cerr, plan, left_out);
  throw NotPossible(concat("nothing to measure: ", why));
}

/// Carries out the plan, records what it gives, and prints the tables. Returns the exit status.
int measure(const Selection& selection, const Plan& plan, Process process, Ranks* ranks) {
  Records records(selection, plan);
  const auto before = selection.resume ? study_to_resume(selection, plan, process) : StudySoFar{};
  records.run(process);
  Study study(selection, plan, process, records, ranks);
  const Results& results = study.results();
  try {
    study.prepare();
    if (results.rows.empty()) refuse_nothing(plan, results.left_out, "no rung can be had as asked");
    if (selection.energy) {
      study.measure_energy();
      print_energy(std::cout, results);
      return any_bad_energy(results) ? 1 : 0;
    }
    study.run(before);
    if (!leads(ranks)) return 0;
  } catch (const NotPossible&) {
    throw;
  } catch (const std::exception& error) {
    study.end_where_lost(error.what());
    throw;
  }
  if (process.index == process.of) {  // the last of a study prints the tables
    if (process.of > 1) add_other_processes(study.results(), selection, process);
    print_tables(std::cout, results, selection.profile);
  }
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
  // The host's device is opened by whichever backend comes first, and reads these.
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
    refuse_nothing(plan, plan.left_out, "the selection leaves no rung that can be run here");
  if (selection.dry_run) {
    print_plan(std::cout, plan, selection.processes, estimated_seconds(selection, plan));
    return 0;
  }
  return measure(selection, plan, process, ranks);
}

/// `status`, or 1 where what was printed is lost: on a full disk, say.
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
  // What was started by /proc/self/exe is "exe" to ps, pgrep and pkill.
  prctl(PR_SET_NAME, program_invocation_short_name);
  std::signal(SIGXFSZ, SIG_IGN);  // where a file may not grow, that is an error of writing
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
