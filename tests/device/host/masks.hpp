#pragma once

#include <cstddef>

#include "common/device/host/pinning.hpp"

namespace ladder::host {

inline bool same(const Mask& a, const Mask& b) {
  bool equal = true;
  for (std::size_t i = 0; i < a.size(); ++i) equal = equal && CPU_EQUAL(&a[i], &b[i]) != 0;
  return equal;
}

}  // namespace ladder::host
