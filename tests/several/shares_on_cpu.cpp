// For the tests of what every rung promises (tests/contract_test.cpp).

#include "cpu/cpu_backend.hpp"
#include "several/local/devices.hpp"
#include "tests/several/on_shares.hpp"

namespace ladder {

std::vector<std::unique_ptr<Backend>> all_backends() {
  tests::Backends all, made;
  made.push_back(several::in_one_process(cpu::backends));
  tests::add_three_shares(all, std::move(made));
  return all;
}

}  // namespace ladder
