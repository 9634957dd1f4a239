#pragma once

#include <cstddef>

#include "common/machine/pinning.hpp"

namespace ladder::machine {

inline bool same(const Mask& a, const Mask& b) {
  bool equal = true;
  for (std::size_t i = 0; i < a.size(); ++i) equal = equal && CPU_EQUAL(&a[i], &b[i]) != 0;
  return equal;
}

}  // namespace ladder::machine
