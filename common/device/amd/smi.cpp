#include "common/device/amd/smi.hpp"

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include <dlfcn.h>

#include "common/device/device.hpp"

namespace ladder::amd {
namespace {

// RSMI_STATUS_SUCCESS of rocm_smi.h, a part of the library's binary interface.
constexpr int success = 0;

/// Library names of the releases that have the counter.
const std::vector<std::string> usual_names{"librocm_smi64.so",   "librocm_smi64.so.1",
                                           "librocm_smi64.so.7", "librocm_smi64.so.6",
                                           "librocm_smi64.so.5", "/opt/rocm/lib/librocm_smi64.so"};

/// Mask of domain, bus and device in the library's 64-bit PCI address. Bits 28 to 31 are the GPU's
/// partition, the last three its function.
constexpr std::uint64_t place_bits = 0xFFFF'FFFF'0000'FFF8;

std::uint64_t place_of(const std::string& pci_bus_id) {
  unsigned domain = 0, bus = 0, device = 0;
  if (std::sscanf(pci_bus_id.c_str(), "%x:%x:%x", &domain, &bus, &device) != 3)
    throw NotPossible("no PCI bus address: " + pci_bus_id);
  return std::uint64_t{domain} << 32 | std::uint64_t{bus} << 8 | std::uint64_t{device} << 3;
}

class Smi final : public EnergyCounter {
 public:
  Smi(const std::string& pci_bus_id, const std::vector<std::string>& names) {
    const std::uint64_t place = place_of(pci_bus_id);
    for (const auto& name : names) {
      if (library_ == nullptr) library_ = dlopen(name.c_str(), RTLD_NOW);
    }
    if (library_ == nullptr)
      throw NotPossible("AMD's management library (librocm_smi64) was not found");
    begun_ = call("rsmi_init", std::uint64_t{0});
    if (!begun_ || !find(place) || !read()) {
      close();
      throw NotPossible("AMD's management library (librocm_smi64) tells no energy of this GPU");
    }
  }
  Smi(const Smi&) = delete;
  Smi& operator=(const Smi&) = delete;
  ~Smi() override { close(); }

  double joules() override {
    if (const auto joules = read()) return *joules;
    throw std::runtime_error("the driver no longer tells the energy");
  }
  std::string source() const override {
    return "rsmi_dev_energy_count_get: the whole GPU, as its firmware counts";
  }

 private:
  /// False if the library lacks the function or the function fails.
  template <class... Argument>
  bool call(const char* name, Argument... arguments) const {
    void* const found = dlsym(library_, name);
    return found != nullptr &&
           reinterpret_cast<int (*)(Argument...)>(found)(arguments...) == success;
  }

  bool find(std::uint64_t place) {
    std::uint32_t count = 0;
    if (!call("rsmi_num_monitor_devices", &count)) return false;
    for (index_ = 0; index_ < count; ++index_) {
      std::uint64_t found = 0;
      if (call("rsmi_dev_pci_id_get", index_, &found) && (found & place_bits) == place) return true;
    }
    return false;
  }

  std::optional<double> read() const {
    std::uint64_t counted = 0, nanoseconds = 0;
    float microjoules = 0;  // per count
    if (!call("rsmi_dev_energy_count_get", index_, &counted, &microjoules, &nanoseconds) ||
        counted == 0)
      return std::nullopt;
    return static_cast<double>(counted) * static_cast<double>(microjoules) * 1e-6;
  }

  void close() {
    if (begun_) call("rsmi_shut_down");
    dlclose(library_);
  }

  void* library_ = nullptr;
  bool begun_ = false;
  std::uint32_t index_ = 0;
};

}  // namespace

std::unique_ptr<EnergyCounter> open_smi(const std::string& pci_bus_id, const std::string& library) {
  return std::make_unique<Smi>(pci_bus_id, library.empty() ? usual_names : std::vector{library});
}

}  // namespace ladder::amd
