#pragma once

// The driver's management library: clocks, temperature, power, and what throttles. Looked for at
// run time, since a program that does without it still measures.

#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::nvidia {

class Nvml {
 public:
  /// For the device at that PCI bus address. Where the library is absent or knows no such device,
  /// every list is empty.
  explicit Nvml(const std::string& pci_bus_id);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  /// What does not change while the program runs: the driver's version, the highest clocks.
  std::vector<Fact> facts() const;
  /// Now.
  std::vector<Fact> conditions() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace ladder::nvidia
