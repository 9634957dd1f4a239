// Files of records, as --resume and the last of several processes read them.

#include <cmath>

#include "bench/records/study_so_far.hpp"
#include "tests/fuzz/target.hpp"

using namespace ladder::bench;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Selection selection;
  selection.records = ladder::fuzz::file_with(ladder::fuzz::text_of(data, size));
  selection.command = {"ladder", "--records=a"};
  const Plan plan;
  Process process;
  try {
    const auto before = study_to_resume(selection, plan, process);
    for (const auto& [index, samples] : before.samples) {
      for (const auto& [id, earlier] : samples) {
        for (const double seconds : earlier.seconds)
          ladder::fuzz::expect(std::isfinite(seconds) && seconds > 0, "a time is above zero");
        ladder::fuzz::expect(earlier.ulps >= 0, "an error is no less than none");
      }
    }
  } catch (const ladder::NotPossible&) {
  }
  Results results(plan);
  process.of = 3;
  add_other_processes(results, selection.records, process);
  return 0;
}
