#pragma once

// The energy counter of AMD's GPUs, by the driver's management library. Looked for at run time, as
// NVIDIA's is.

#include <memory>
#include <optional>
#include <string>

#include "common/device/device.hpp"

namespace ladder::amd {

/// The counter of the GPU at that PCI bus address ("0000:c1:00.0"). Throws `NotPossible` with a
/// sentence where the library is absent, or tells no energy of this GPU. Without a name, the usual
/// ones are looked for.
std::unique_ptr<EnergyCounter> open_smi(const std::string& pci_bus_id,
                                        const std::string& library = "");

}  // namespace ladder::amd
