#pragma once

// The driver's management library: clocks, temperature, power, energy, and what throttles. Looked
// for at run time, since a program that does without it still measures.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::nvidia {

class Nvml {
 public:
  /// For the device at that PCI bus address. Where the library is absent or knows no such device,
  /// every list is empty, and there is no energy.
  explicit Nvml(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  /// What does not change while the program runs: the versions of the driver and the VBIOS, the
  /// board's part number, the highest clocks, the NVLinks that are up.
  std::vector<Fact> facts() const;
  /// Now.
  std::vector<Fact> conditions() const;
  /// Of the SMs, now.
  std::optional<unsigned> clock_mhz() const;
  /// What lowers the clocks now, in words: heat, the power cap, the board. Empty where nothing does
  /// or it is not told.
  std::string slowdown() const;
  /// Whether this is a part of a GPU, whose other parts may be someone else's (MIG).
  bool is_part() const;
  /// Who uses the GPU besides, in words: a part of it is someone else's (MIG), or more than one
  /// process has work on it, this one counted. Empty where it is this program's alone.
  std::string sharing() const;
  /// Joules that the board has taken since the driver was loaded; nothing where it is not counted
  /// (before Volta, and on some parts of a GPU).
  std::optional<double> joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

/// The counter of a device, for as long as `nvml` lives. Throws `NotPossible` where there is none.
std::unique_ptr<EnergyCounter> energy_counter(const Nvml& nvml);

}  // namespace ladder::nvidia
