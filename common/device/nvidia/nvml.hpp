#pragma once

// The driver's management library: clocks, temperature, power, energy, and what throttles. Looked
// for at run time, since a program that does without it still measures.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::nvidia {

/// An NVLink of a GPU that is up.
struct Link {
  std::string to;              ///< the PCI bus address of what is at its other end
  bool to_switch = false;      ///< to an NVSwitch, by which it reaches every GPU on that
  unsigned mb_per_second = 0;  ///< 10^6 bytes each way; 0: not told
};

class Nvml {
 public:
  /// For the device at that PCI bus address. Where the library is absent or knows no such device,
  /// every list is empty, and there is no energy.
  explicit Nvml(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  /// What does not change while the program runs: the driver's version, the highest clocks.
  std::vector<Fact> facts() const;
  /// The NVLinks that are up; none where the library tells of none.
  std::vector<Link> links() const;
  /// Now.
  std::vector<Fact> conditions() const;
  /// What lowers the clocks now, in words: heat, the power cap, the board. Empty where nothing does
  /// or it is not told.
  std::string slowdown() const;
  /// Joules that the board has taken since the driver was loaded; nothing where it is not counted
  /// (before Volta, and on some parts of a GPU).
  std::optional<double> joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

/// "0000:1b:00" of all ways to write a PCI bus address; empty where it is none.
std::string plain_address(const std::string& pci_bus_id);

/// How two GPUs reach each other over NVLink, in words: "18 links of 26562 MB/s each way, through
/// switches". `there` are the links of the GPU at `address`. Nothing where no link leads there.
std::optional<std::string> nvlink_between(const std::vector<Link>& here,
                                          const std::vector<Link>& there,
                                          const std::string& address);

/// The counter of a device, for as long as `nvml` lives. Throws `NotPossible` where there is none.
std::unique_ptr<EnergyCounter> energy_counter(const Nvml& nvml);

}  // namespace ladder::nvidia
