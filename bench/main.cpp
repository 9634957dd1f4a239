#include <cstdlib>

#include <unistd.h>

#include "bench/application.hpp"
#if LADDER_HAVE_HOST
#include "common/device/host/process_limits.hpp"
#endif

namespace {

/// Re-executes this program if the environment must change: the runtimes read it before main.
/// Threads must not be bound, and idle threads of one runtime must not spin while another is
/// measured (OMP_WAIT_POLICY=passive). Returns if nothing had to change.
void settle_environment(char** argv) {
  bool again = false;
#if LADDER_HAVE_HOST
  again = ladder::host::unbind();
#endif
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    again = true;
  }
  if (again) execv("/proc/self/exe", argv);
  // If execv fails, the run continues with the environment the runtimes read; the records contain
  // the variables.
}

}  // namespace

int main(int argc, char** argv) {
  settle_environment(argv);
  return ladder::bench::application(argc, argv, ladder::all_backends());
}
