#include "bench/application.hpp"

int main(int argc, char** argv) {
  ladder::bench::settle_environment(argv);
  return ladder::bench::application(argc, argv, ladder::all_backends());
}
