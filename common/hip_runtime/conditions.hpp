#pragma once

// What the driver's management library tells: clocks, temperature, power, and what throttles.

#include <memory>
#include <string>
#include <vector>

#include "common/backend.hpp"

namespace ladder::hip_runtime {

/// On NVIDIA, what common/nvidia/nvml.hpp reads; on AMD nothing is read yet, and every list is
/// empty.
class Conditions {
 public:
  /// For the device at that PCI bus address.
  explicit Conditions(const std::string& pci_bus_id);
  ~Conditions();

  /// What does not change while the program runs.
  std::vector<Fact> facts() const;
  std::vector<Fact> now() const;

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace ladder::hip_runtime
