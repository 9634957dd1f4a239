#pragma once

#include <exception>
#include <map>
#include <memory>
#include <string>

#include "common/device/device.hpp"

namespace ladder {

/// GPUs of one kind by their numbers: one object for all who have it open. `Kind(device)` opens
/// one; what goes wrong in that becomes a sentence of a `NotPossible`.
template <class Kind>
std::shared_ptr<Kind> open_shared(int device) {
  static std::map<int, std::weak_ptr<Kind>> open;
  auto& known = open[device];
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
