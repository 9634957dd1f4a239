#pragma once

// Whether there is a device that this build can use, and what is known of it.

#include <optional>
#include <string>

#include <hip/hip_runtime.h>

#include "common/backend.hpp"

namespace ladder::hip_runtime {

/// One sentence that says why device `device` (counted from 0) cannot be used and what to do;
/// nothing where it can.
std::optional<std::string> why_unusable(int device);

/// By which backends know that they read the same memory: on NVIDIA as CUDA's backends name it.
std::string memory_space(int device);

/// "0000:1B:00.0", by which the management library knows a device.
std::string pci_bus_id(int device);

/// The facts of a usable device, each with its source.
DeviceFacts describe(int device);

/// Clears an error of the current device, so that the next call can succeed. Returns a sentence
/// where the device is lost for good. Whatever holds a stream has to be let go before.
std::optional<std::string> recover();

}  // namespace ladder::hip_runtime
