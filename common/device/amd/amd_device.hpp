#pragma once

// AMD GPUs under the HIP runtime. Including this needs no HIP header.

#include <memory>
#include <optional>
#include <string>

#include "common/device/device.hpp"

namespace ladder::amd {

/// One sentence: why device `device` (from 0) is unusable, and the remedy. Empty if it is usable.
std::optional<std::string> why_unusable(int device);

/// The device; all callers share one object. Throws `NotPossible` with a sentence if unusable.
std::shared_ptr<Device> open(int device);

}  // namespace ladder::amd
