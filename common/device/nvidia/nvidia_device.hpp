#pragma once

// NVIDIA's GPUs under the CUDA run-time library. Nothing of CUDA is needed to include this.

#include <memory>
#include <optional>
#include <string>

#include "common/device/device.hpp"

namespace ladder::nvidia {

/// One sentence that says why device `device` (counted from 0) cannot be used and what to do;
/// nothing where it can.
std::optional<std::string> why_unusable(int device);

/// The device, one object for all who have it open. Throws `NotPossible` with a sentence where it
/// cannot be used.
std::shared_ptr<Device> open(int device);

}  // namespace ladder::nvidia
