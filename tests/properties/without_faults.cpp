#include "tests/properties/with_faults.hpp"

std::vector<ladder::faults::FaultsOf> ladder::tests::known_faults() { return {}; }
