#pragma once

// Vendor specifications of AMD GPUs that the runtime does not report.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ladder::amd {

/// Specifications of one device as HIP counts them: on an MI250, one of its two dies.
struct Sheet {
  std::string_view name;  ///< last words of the device's name
  double peak_gbs;        ///< theoretical bandwidth of its memory, in GB/s
  /// Size in MiB of the cache beyond L2, which the driver's cache size omits; 0 if there is none.
  std::size_t last_level_mib;
};

/// Bandwidths: AMD's "peak memory bandwidth" of the product; for a die of an MI250, half of it. A
/// published transfer rate times the bus width gives the same figure, except for an MI300: 5.2 GT/s
/// on 8192 bits is 5325 GB/s, and AMD states 5.3 TB/s. Caches: "AMD GPU specifications",
/// rocm.docs.amd.com.
inline constexpr std::array sheets{
    Sheet{"MI50", 1024, 0},        Sheet{"MI60", 1024, 0},        Sheet{"MI100", 1228.8, 0},
    Sheet{"MI210", 1638.4, 0},     Sheet{"MI250", 1638.4, 0},     Sheet{"MI250X", 1638.4, 0},
    Sheet{"MI300A", 5300, 256},    Sheet{"MI300X", 5300, 256},    Sheet{"MI325X", 6000, 256},
    Sheet{"MI350X", 8000, 256},    Sheet{"MI355X", 8000, 256},    Sheet{"RX 6800", 512, 128},
    Sheet{"RX 6800 XT", 512, 128}, Sheet{"RX 6900 XT", 512, 128}, Sheet{"RX 6950 XT", 576, 128},
    Sheet{"PRO W6800", 512, 128},  Sheet{"RX 7900 GRE", 576, 64}, Sheet{"RX 7900 XT", 800, 80},
    Sheet{"RX 7900 XTX", 960, 96}, Sheet{"PRO W7800", 576, 64},   Sheet{"PRO W7900", 864, 96},
    Sheet{"RX 9070", 640, 64},     Sheet{"RX 9070 XT", 640, 64},
};

/// Finds the sheet by HIP's device name, e.g. "AMD Instinct MI300X". Similar names do not match:
/// "MI300X HF" is not "MI300X".
constexpr std::optional<Sheet> sheet_of(std::string_view device) {
  for (const Sheet& sheet : sheets) {
    if (device.size() > sheet.name.size() && device.ends_with(sheet.name) &&
        device[device.size() - sheet.name.size() - 1] == ' ') {
      return sheet;
    }
  }
  return std::nullopt;
}

}  // namespace ladder::amd
