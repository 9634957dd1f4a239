#include "common/device/nvidia/nvml.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <dlfcn.h>

namespace ladder::nvidia {
namespace {

// The few constants of nvml.h that are needed here; they are part of the library's binary interface
// and never change.
constexpr int success = 0;
constexpr int clock_sm = 1, clock_memory = 2;
constexpr int sensor_gpu = 0;

constexpr std::array<std::pair<std::uint64_t, const char*>, 9> reasons{{
    {0x1, "idle"},
    {0x2, "application clocks"},
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "thermal slowdown (software)"},
    {0x40, "thermal slowdown (hardware)"},
    {0x80, "power brake"},
    {0x100, "display clocks"},
}};

/// Calls the library's function of that name; false where there is none or it does not succeed.
template <class... Argument>
bool call(void* library, const char* name, Argument... arguments) {
  if (library == nullptr) return false;
  void* const found = dlsym(library, name);
  return found != nullptr && reinterpret_cast<int (*)(Argument...)>(found)(arguments...) == success;
}

class Board final : public EnergyCounter {
 public:
  explicit Board(const Nvml& nvml) : nvml_(nvml) {}
  double joules() override {
    if (const auto joules = nvml_.joules()) return *joules;
    throw std::runtime_error("the driver no longer tells the energy");
  }
  std::string source() const override {
    return "nvmlDeviceGetTotalEnergyConsumption: the whole board";
  }

 private:
  const Nvml& nvml_;
};

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id, const char* library)
    : library_(dlopen(library, RTLD_NOW)) {
  if (!call(library_, "nvmlInit_v2")) {
    if (library_ != nullptr) dlclose(library_);
    library_ = nullptr;
    return;
  }
  if (!call(library_, "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_)) {
    device_ = nullptr;
  }
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  call(library_, "nvmlShutdown");
  dlclose(library_);
}

std::vector<Fact> Nvml::facts() const {
  std::vector<Fact> facts;
  std::array<char, 96> version{};
  if (call(library_, "nvmlSystemGetDriverVersion", version.data(),
           static_cast<unsigned>(version.size()))) {
    facts.push_back({"driver", version.data(), "nvmlSystemGetDriverVersion"});
  }
  if (device_ == nullptr) return facts;
  unsigned value = 0;
  if (call(library_, "nvmlDeviceGetMaxClockInfo", device_, clock_sm, &value)) {
    facts.push_back({"highest SM clock MHz", std::to_string(value), "nvmlDeviceGetMaxClockInfo"});
  }
  if (call(library_, "nvmlDeviceGetMaxClockInfo", device_, clock_memory, &value)) {
    facts.push_back(
        {"highest memory clock MHz", std::to_string(value), "nvmlDeviceGetMaxClockInfo"});
  }
  if (call(library_, "nvmlDeviceGetEnforcedPowerLimit", device_, &value)) {  // in milliwatts
    facts.push_back(
        {"power limit W", std::to_string((value + 500) / 1000), "nvmlDeviceGetEnforcedPowerLimit"});
  }
  return facts;
}

std::vector<Fact> Nvml::conditions() const {
  std::vector<Fact> facts;
  if (device_ == nullptr) return facts;
  unsigned value = 0;
  if (call(library_, "nvmlDeviceGetClockInfo", device_, clock_sm, &value)) {
    facts.push_back({"SM clock MHz", std::to_string(value), "nvmlDeviceGetClockInfo"});
  }
  if (call(library_, "nvmlDeviceGetClockInfo", device_, clock_memory, &value)) {
    facts.push_back({"memory clock MHz", std::to_string(value), "nvmlDeviceGetClockInfo"});
  }
  if (call(library_, "nvmlDeviceGetTemperature", device_, sensor_gpu, &value)) {
    facts.push_back({"temperature C", std::to_string(value), "nvmlDeviceGetTemperature"});
  }
  if (call(library_, "nvmlDeviceGetPowerUsage", device_, &value)) {  // in milliwatts
    facts.push_back({"power W", std::to_string((value + 500) / 1000), "nvmlDeviceGetPowerUsage"});
  }
  // The function has had two names, one for old drivers.
  unsigned long long mask = 0;
  for (const char* name :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    if (!call(library_, name, device_, &mask)) continue;
    std::string text;
    for (const auto& [bit, words] : reasons) {
      if ((mask & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
    }
    facts.push_back({"throttle reasons", text.empty() ? "none" : text, name});
    break;
  }
  return facts;
}

std::optional<double> Nvml::joules() const {
  unsigned long long millijoules = 0;
  if (device_ == nullptr ||
      !call(library_, "nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules))
    return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

std::unique_ptr<EnergyCounter> energy_counter(const Nvml& nvml) {
  if (!nvml.joules())
    throw NotPossible(
        "NVIDIA's management library (NVML) tells no energy of this GPU: it does from Volta on, on "
        "a whole GPU");
  return std::make_unique<Board>(nvml);
}

}  // namespace ladder::nvidia
