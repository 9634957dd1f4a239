// Files of records, as --resume and a study of several processes read them.

#include "bench/records/records.hpp"

#include <cmath>

#include "bench/plan/plan.hpp"
#include "bench/records/other_processes.hpp"
#include "bench/results/results.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace ladder::bench;

/// What this run would say of itself.
const Json& about() {
  static const Json run = Json::parse(R"({"schema": 2, "version": "0.1", "commit": "c0ffee",
    "build_type": "Release", "build": {"cxx": {"compiler": "GNU 12"}}, "seed": 1,
    "data_file": null, "machine": {"system": "Linux"}, "models": {"cpu": {"threads": 2}},
    "devices": [{"space": "host", "backends": ["cpu"], "name": "a processor", "units": 2}]})");
  return run;
}

void resume(const std::string& path) {
  const Records records(path);
  Process process;
  for (const auto& [id, earlier] : records.earlier(about(), process)) {
    for (const double seconds : earlier.seconds)
      ladder::fuzz::expect(std::isfinite(seconds) && seconds > 0, "a time is a number above zero");
    ladder::fuzz::expect(earlier.ulps >= 0, "an error is no less than none");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto& path = ladder::fuzz::file_with(ladder::fuzz::text_of(data, size));
  try {
    resume(path);
  } catch (const ladder::NotPossible&) {
  }
  const auto found = study_so_far(path, {"ladder", "--records=a"});
  Process process{3, 3, found.group, 1};
  const Plan plan;
  Results results(plan);
  add_other_processes(results, path, process);
  return 0;
}
