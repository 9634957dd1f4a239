// For the tests of what every rung promises (tests/contract_test.cpp).

#include "tests/several/on_shares.hpp"

namespace ladder {
namespace several::cuda {
std::vector<std::unique_ptr<Backend>> backends();
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  tests::Backends all;
  tests::add_three_shares(all, several::cuda::backends());
  tests::add_two_devices(all, several::cuda::backends());
  return all;
}

}  // namespace ladder
