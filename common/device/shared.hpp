#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/device/device.hpp"

namespace ladder {

/// GPUs of one kind by their numbers: one object for all who have it open. `Kind(device)` opens
/// one; what goes wrong in that becomes a sentence of a `NotPossible`.
template <class Kind>
std::shared_ptr<Kind> open_shared(int device) {
  // No map: clang 15 dies of one when it compiles C++20 as HIP.
  static std::vector<std::pair<int, std::weak_ptr<Kind>>> open;
  auto found = std::ranges::find(open, device, [](const auto& one) { return one.first; });
  if (found == open.end()) found = open.insert(open.end(), {device, {}});
  auto& known = found->second;
  auto shared = known.lock();
  if (shared != nullptr) return shared;
  try {
    known = shared = std::make_shared<Kind>(device);
  } catch (const NotPossible&) {
    throw;
  } catch (const std::exception& error) {
    throw NotPossible("GPU " + std::to_string(device) + " cannot be used: " + error.what());
  }
  return shared;
}

}  // namespace ladder
