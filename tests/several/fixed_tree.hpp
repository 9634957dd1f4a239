#pragma once

// What fixed_tree_test.cpp runs on.

#include <memory>
#include <string>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::tests {

struct OnEachDevice {
  std::vector<std::unique_ptr<Backend>> backends;  ///< each opened on a device of its own
  std::string why;                                 ///< where there is none
};
OnEachDevice on_each_device();

/// On all devices that the first of what `make` gives sees.
inline OnEachDevice on_all_seen(std::vector<std::unique_ptr<Backend>> (*make)()) {
  OnEachDevice found;
  for (int device = 0;; ++device) {
    auto backend = std::move(make().front());
    if (auto why = backend->open(device)) {
      found.why = *why;
      return found;
    }
    found.backends.push_back(std::move(backend));
    if (device + 1 == static_cast<int>(found.backends.front()->device().facts().seen)) return found;
  }
}

}  // namespace ladder::tests
