#pragma once

// The driver's management library: clocks, temperature, power, energy, and throttle reasons. Loaded
// at run time, since the program also measures without it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::nvidia {

class Nvml {
 public:
  /// Opens the device at this PCI bus address. If the library is absent or does not know the
  /// device, all lists are empty and there is no energy.
  explicit Nvml(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  /// Constants of the run: versions of the driver and the VBIOS, board part number, maximum clocks,
  /// active NVLinks.
  std::vector<Fact> facts() const;
  /// Current clocks, temperature, power and throttle reasons.
  std::vector<Fact> conditions() const;
  /// Current SM clock.
  std::optional<unsigned> clock_mhz() const;
  /// Current cause of lowered clocks, in words: heat, power cap, board. Empty if there is none or
  /// it is not reported.
  std::string slowdown() const;
  /// True if this is a MIG instance: other parts of the GPU may have other users.
  bool is_part() const;
  /// Other uses of the GPU, in words: other MIG instances, or the number of processes with work on
  /// it, this one included. Empty if this program has the GPU alone.
  std::string sharing() const;
  /// Joules consumed by the board since the driver was loaded; empty if not counted (before Volta,
  /// and on some parts of a GPU).
  std::optional<double> joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

/// Energy counter of the device; `nvml` must outlive it. Throws `NotPossible` if there is none.
std::unique_ptr<EnergyCounter> energy_counter(const Nvml& nvml);

}  // namespace ladder::nvidia
