#pragma once

// Where the devices of a host are plugged in.

#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::several {

/// Of the device `name` at a PCI bus address: the NUMA node that it belongs to, and its lanes with
/// their speed now, which is less while it has nothing to do, and at most. Only what `folder`, the
/// system's, tells: a host of one node, or a virtual one, may tell neither.
std::vector<Fact> plugged_in(const std::string& name, std::string address,
                             const std::string& folder = "/sys/bus/pci/devices");

}  // namespace ladder::several
