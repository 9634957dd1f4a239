#include "bench/application.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <unistd.h>

#include "bench/run/google_benchmark.hpp"
#include "bench/run/study.hpp"
#include "bench/tell/derived.hpp"
#include "bench/tell/list.hpp"
#include "bench/tell/tables.hpp"

namespace ladder::bench {
namespace {

/// Whether a row is wrong or failed, or is too fast to be true.
bool any_bad(const Results& results) {
  return std::ranges::any_of(results.rows, [&](const Row& row) {
    return !row.good() ||
           (row.measurement.device().facts().kind == "gpu" && above_ceiling(results, row));
  });
}

int run(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends) {
  const auto parsed = parse_command_line(argc, argv);
  if (!parsed) return 0;
  const Selection& selection = *parsed;
  if (selection.list) {
    print_list(std::cout, backends, selection.list_format == "json");
    return 0;
  }
  Process process = this_process();
  const bool measures = !selection.list_tests && !selection.dry_run;
  if (measures && selection.processes > process.of) return run_processes(selection, argv);
  initialize_benchmark(selection);
  const Plan plan = make_plan(selection, backends);
  if (selection.list_tests) {
    for (const auto& m : plan.measurements) std::cout << m.name() << "\n";
    return 0;
  }
  if (selection.dry_run) {
    print_plan(std::cout, selection, plan);
    return 0;
  }
  if (plan.measurements.empty()) {
    print_plan(std::cerr, selection, plan);
    throw NotPossible("nothing to measure: the selection leaves no rung that can be run here");
  }
  const Json about = describe_run(selection, plan);
  std::map<std::string, Earlier> earlier;
  if (selection.resume) earlier = Records::earlier(selection.records, about, process);
  Records records(selection.records);
  records.run(about, process);
  Study study(selection, plan, process, records);
  const Results& results = study.results();
  study.prepare(earlier);
  if (results.rows.empty()) {
    print_not_run(std::cerr, plan, results.skipped);
    throw NotPossible("nothing to measure: no rung can be had as asked");
  }
  study.run();
  if (process.index < process.of) return any_bad(results) ? 1 : 0;
  if (process.of > 1) study.add_other_processes();
  // With --benchmark_format the standard output belongs to Google Benchmark's reporter.
  std::ostream& out = selection.benchmark_prints ? std::cerr : std::cout;
  print_tables(out, results, selection.profile,
               isatty(selection.benchmark_prints ? STDERR_FILENO : STDOUT_FILENO) != 0);
  return any_bad(results) ? 1 : 0;
}

}  // namespace

int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends) {
  try {
    return run(argc, argv, backends);
  } catch (const NotPossible& error) {
    std::cerr << "ladder: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "ladder: failed: " << error.what() << "\n";
    return 1;
  }
}

void settle_environment(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);
  // Where that cannot be, the runtimes spin: the records name the variable, the run goes on.
}

}  // namespace ladder::bench
