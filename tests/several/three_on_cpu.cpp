// For the tests of what every rung promises (tests/contract_test.cpp).

#include "cpu/backend.hpp"
#include "several/local/devices.hpp"
#include "tests/several/three_shares.hpp"

namespace ladder {

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(std::make_unique<tests::ThreeShares>(several::in_one_process(cpu::backends)));
  return one;
}

}  // namespace ladder
