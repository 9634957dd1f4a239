// For the tests of what every rung promises (tests/contract_test.cpp). LADDER_MODEL: cuda or hip.

#include "tests/several/on_shares.hpp"

namespace ladder {
namespace several::LADDER_MODEL {
std::vector<std::unique_ptr<Backend>> backends();
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  tests::Backends all;
  tests::add_three_shares(all, several::LADDER_MODEL::backends());
  tests::add_two_devices(all, several::LADDER_MODEL::backends());
  return all;
}

}  // namespace ladder
