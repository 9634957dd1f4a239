#include "cpu/cpu_backend.hpp"
#include "tests/several/fixed_tree.hpp"

namespace ladder::tests {

OnEachDevice on_each_device() {
  OnEachDevice one;
  one.backends = cpu::backends();
  if (auto why = one.backends.front()->open(0)) return {{}, *why};
  return one;
}

}  // namespace ladder::tests
