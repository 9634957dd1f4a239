#pragma once

// The processors' own energy counters (RAPL), as Linux shows them below /sys/class/powercap.

#include <filesystem>
#include <memory>

#include "common/device/energy.hpp"

namespace ladder::host {

/// All processor packages together; without the memory, which few machines count. Throws
/// `NotPossible` with a sentence where there is no counter, or it may not be read.
std::unique_ptr<EnergyCounter> open_rapl(const std::filesystem::path& root = "/");

}  // namespace ladder::host
