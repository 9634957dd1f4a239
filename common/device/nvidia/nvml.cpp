#include "common/device/nvidia/nvml.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <dlfcn.h>

namespace ladder::nvidia {
namespace {

// Constants of nvml.h. They are part of the library's binary interface and never change.
constexpr int success = 0;
constexpr int clock_sm = 1, clock_memory = 2;
constexpr int sensor_gpu = 0;
constexpr unsigned most_links = 32;  // the library rejects numbers of absent links
constexpr unsigned is_up = 1;

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

/// Reasons that lower the clocks of a busy GPU without a user's setting.
constexpr std::uint64_t slowing = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

std::string words_of(std::uint64_t mask) {
  std::string text;
  for (const auto& [bit, words] : reasons) {
    if ((mask & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  }
  return text;
}

/// Calls the library's function `name`; false if it is absent or fails.
template <class... Argument>
bool call(void* library, const char* name, Argument... arguments) {
  if (library == nullptr) return false;
  void* const found = dlsym(library, name);
  return found != nullptr && reinterpret_cast<int (*)(Argument...)>(found)(arguments...) == success;
}

/// Appends the number that `function` returns in its last argument, in units of `unit`, rounded.
template <class... Argument>
void tell(std::vector<Fact>& facts, std::string name, unsigned unit, void* library,
          const char* function, Argument... arguments) {
  unsigned value = 0;
  if (call(library, function, arguments..., &value))
    facts.push_back({std::move(name), std::to_string((value + unit / 2) / unit), function});
}

/// Appends the text that `function` returns.
template <class... Device>
void tell_text(std::vector<Fact>& facts, std::string name, void* library, const char* function,
               Device... device) {
  std::array<char, 96> text{};
  if (call(library, function, device..., text.data(), static_cast<unsigned>(text.size())))
    facts.push_back({std::move(name), text.data(), function});
}

/// Current clock limiters as a bit mask, and the function that reports them. Old drivers have it
/// under another name.
std::optional<std::pair<std::uint64_t, const char*>> clock_reasons(void* library, void* device) {
  unsigned long long mask = 0;
  for (const char* name :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    if (call(library, name, device, &mask)) return std::pair{std::uint64_t{mask}, name};
  }
  return std::nullopt;
}

/// Number of active NVLinks, whatever their peers.
unsigned links_up(void* library, void* device) {
  unsigned up = 0;
  for (unsigned link = 0; link < most_links; ++link) {
    unsigned state = 0;
    if (call(library, "nvmlDeviceGetNvLinkState", device, link, &state) && state == is_up) ++up;
  }
  return up;
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
  tell_text(facts, "driver", library_, "nvmlSystemGetDriverVersion");
  if (device_ == nullptr) return facts;
  tell_text(facts, "VBIOS", library_, "nvmlDeviceGetVbiosVersion", device_);
  tell_text(facts, "board part number", library_, "nvmlDeviceGetBoardPartNumber", device_);
  tell(facts, "highest SM clock MHz", 1, library_, "nvmlDeviceGetMaxClockInfo", device_, clock_sm);
  tell(facts, "highest memory clock MHz", 1, library_, "nvmlDeviceGetMaxClockInfo", device_,
       clock_memory);
  tell(facts, "power limit W", 1000, library_, "nvmlDeviceGetEnforcedPowerLimit", device_);
  if (const unsigned links = links_up(library_, device_); links > 0)
    facts.push_back({"NVLinks", std::to_string(links), "nvmlDeviceGetNvLinkState"});
  return facts;
}

std::vector<Fact> Nvml::conditions() const {
  std::vector<Fact> facts;
  if (device_ == nullptr) return facts;
  tell(facts, "SM clock MHz", 1, library_, "nvmlDeviceGetClockInfo", device_, clock_sm);
  tell(facts, "memory clock MHz", 1, library_, "nvmlDeviceGetClockInfo", device_, clock_memory);
  tell(facts, "temperature C", 1, library_, "nvmlDeviceGetTemperature", device_, sensor_gpu);
  tell(facts, "power W", 1000, library_, "nvmlDeviceGetPowerUsage", device_);
  if (const auto found = clock_reasons(library_, device_)) {
    const auto text = words_of(found->first);
    facts.push_back({"throttle reasons", text.empty() ? "none" : text, found->second});
  }
  return facts;
}

std::optional<unsigned> Nvml::clock_mhz() const {
  unsigned clock = 0;
  if (device_ == nullptr || !call(library_, "nvmlDeviceGetClockInfo", device_, clock_sm, &clock))
    return std::nullopt;
  return clock;
}

bool Nvml::is_part() const {
  unsigned now = 0, later = 0;
  return device_ != nullptr && call(library_, "nvmlDeviceGetMigMode", device_, &now, &later) &&
         now != 0;
}

std::string Nvml::sharing() const {
  if (device_ == nullptr) return {};
  std::string words = is_part() ? "a part of a GPU (MIG)" : "";
  // Without an array, the call returns the number of processes and the error "insufficient size".
  unsigned processes = 0;
  call(library_, "nvmlDeviceGetComputeRunningProcesses_v3", device_, &processes, nullptr);
  if (processes > 1)
    words += (words.empty() ? "" : ", ") + std::to_string(processes) + " processes on it";
  return words;
}

std::string Nvml::slowdown() const {
  if (device_ == nullptr) return {};
  const auto found = clock_reasons(library_, device_);
  return found ? words_of(found->first & slowing) : std::string();
}

std::optional<double> Nvml::joules() const {
  unsigned long long millijoules = 0;
  if (device_ == nullptr ||
      !call(library_, "nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules))
    return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

std::unique_ptr<EnergyCounter> energy_counter(const Nvml& nvml) {
  if (nvml.is_part())
    throw NotPossible("this is a part of a GPU (MIG): NVML counts the energy of the whole board");
  if (!nvml.joules())
    throw NotPossible(
        "NVIDIA's management library (NVML) tells no energy of this GPU: it does from Volta on, on "
        "a whole GPU");
  return std::make_unique<Board>(nvml);
}

}  // namespace ladder::nvidia
