#include <cstdlib>

#include <unistd.h>

#include "bench/application.hpp"
#if LADDER_HAVE_HOST
#include "common/device/host/environment.hpp"
#endif

namespace {

/// Starts this executable again where the runtimes, which read the environment before main, would
/// not let it measure as it should: threads must not be bound, and idle threads of one runtime must
/// not spin while another is measured (OMP_WAIT_POLICY=passive). Returns where nothing had to be
/// changed.
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
  // Where that cannot be, the runtimes keep to what they have read: the run goes on, and its
  // records have the variables.
}

}  // namespace

int main(int argc, char** argv) {
  settle_environment(argv);
  return ladder::bench::application(argc, argv, ladder::all_backends());
}
