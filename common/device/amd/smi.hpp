#pragma once

// Energy counter of AMD GPUs, from the driver's management library, which is loaded at run time
// like NVML.

#include <memory>
#include <optional>
#include <string>

#include "common/device/device.hpp"

namespace ladder::amd {

/// Counter of the GPU at this PCI bus address ("0000:c1:00.0"). An empty `library` tries the usual
/// names. Throws `NotPossible` with a sentence if the library is absent or reports no energy.
std::unique_ptr<EnergyCounter> open_smi(const std::string& pci_bus_id,
                                        const std::string& library = "");

}  // namespace ladder::amd
