// Backends of the contract's tests (tests/contract_test.cpp): two GPUs. LADDER_MODEL: cuda or hip.

#include <cstdlib>
#include <memory>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder {
namespace several::LADDER_MODEL {
std::vector<std::unique_ptr<Backend>> backends();
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  setenv("LADDER_TEST_DEVICES", "0,1", 0);  // unless the caller sets others
  return several::LADDER_MODEL::backends();
}

}  // namespace ladder
