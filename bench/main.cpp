#include "bench/application.hpp"

int main(int argc, char** argv) {
  ladder::bench::settle_environment(argv);
  const auto backends = ladder::all_backends();
  for (const auto& backend : backends) {
    if (const auto status = backend->serve()) return *status;
  }
  return ladder::bench::application(argc, argv, backends);
}
