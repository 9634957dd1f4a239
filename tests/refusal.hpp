#pragma once

// The message of a refusal.

#include <string>

#include "common/device/device.hpp"

namespace ladder::tests {

/// Returns the message of the `Refusal` that `act` throws; empty if it throws nothing.
template <class Refusal = NotPossible, class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

}  // namespace ladder::tests
