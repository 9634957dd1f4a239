// For the tests of what every rung promises (tests/contract_test.cpp).

#include "tests/several/three_shares.hpp"

namespace ladder {
namespace several::hip {
std::vector<std::unique_ptr<Backend>> backends();
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> one;
  for (auto& backend : several::hip::backends())
    one.push_back(std::make_unique<tests::ThreeShares>(std::move(backend)));
  return one;
}

}  // namespace ladder
