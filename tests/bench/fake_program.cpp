// The program over fake devices; program_test.cpp starts it.

#include "bench/application.hpp"
#include "fake_backend.hpp"

int main(int argc, char** argv) {
  std::vector<std::unique_ptr<ladder::Backend>> backends;
  backends.push_back(ladder::fake::make_backend());
  backends.push_back(ladder::fake::make_absent());
  return ladder::bench::application(argc, argv, backends);
}
