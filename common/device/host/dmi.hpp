#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace ladder::host {

/// The theoretical bandwidth of the memory modules, and how it is known, or why it is not.
struct Peak {
  std::optional<double> gbs;  ///< GB/s, 10^9 bytes
  std::string source;
};

/// From an SMBIOS table (DMTF DSP0134, structure type 17): data width times configured transfers a
/// second, for each channel that has a module. Unknown unless every module names its channel and
/// its speed: the number of modules is not the number of channels.
Peak peak_of_modules(std::span<const std::byte> table);

/// That of this machine; unknown on a virtual one, whose modules are invented.
Peak find_peak();

}  // namespace ladder::host
