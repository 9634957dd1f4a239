#include <cstdlib>
#include <string>

#include <strings.h>
#include <unistd.h>

#include "bench/application.hpp"
#if LADDER_HAVE_HOST
#include "common/device/host/process_limits.hpp"
#endif

namespace ladder::bench {
namespace {

#if LADDER_HAVE_HOST
/// Takes out of the environment what binds threads, and gives this one back the CPUs that it was
/// bound to only a part of. Returns whether there was anything.
bool unbind() {
  std::string replaced;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || strcasecmp(value, "false") == 0) continue;
    replaced.append(replaced.empty() ? "" : " ").append(name).append("=").append(value);
    unsetenv(name);
  }
  if (replaced.empty()) return false;
  setenv("OMP_PROC_BIND", "false", 1);
  setenv(host::replaced_environment, replaced.c_str(), 1);
  host::set_mask_of_caller(host::usable_cpus());
  return true;
}
#else
bool unbind() { return false; }  // no backend of this build has workers
#endif

}  // namespace

void settle_environment(char** argv) {
  bool again = unbind();
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    again = true;
  }
  if (again) execv("/proc/self/exe", argv);
  // Where that cannot be, the runtimes keep to what they have read: the run goes on, and its
  // records tell the variables.
}

}  // namespace ladder::bench
