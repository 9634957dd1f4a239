#include "common/device/nvidia/nvml.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
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
constexpr unsigned most_links = 32;  // the library refuses the numbers that a GPU does not have
constexpr unsigned is_up = 1, kind_switch = 2;
constexpr unsigned speed_of_link = 164, speed_of_all = 90;  // fields
constexpr unsigned unsigned_int = 1;                        // a kind of value

/// nvmlPciInfo_t.
struct PciInfo {
  std::array<char, 16> legacy_address;
  unsigned domain, bus, device, kind, subsystem;
  std::array<char, 32> address;
};
/// nvmlFieldValue_t.
struct Field {
  unsigned field, scope;
  long long timestamp, latency;
  unsigned kind;
  int code;
  union {
    unsigned number;
    unsigned long long room;
  };
};
static_assert(sizeof(PciInfo) == 68 && sizeof(Field) == 40);

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

/// Of these reasons: those that lower the clocks of a GPU that has work and that nobody has set.
constexpr std::uint64_t slowing = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

std::string words_of(std::uint64_t mask) {
  std::string text;
  for (const auto& [bit, words] : reasons) {
    if ((mask & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  }
  return text;
}

/// Calls the library's function of that name; false where there is none or it does not succeed.
template <class... Argument>
bool call(void* library, const char* name, Argument... arguments) {
  if (library == nullptr) return false;
  void* const found = dlsym(library, name);
  return found != nullptr && reinterpret_cast<int (*)(Argument...)>(found)(arguments...) == success;
}

/// What holds the clocks where they are now, and the function that tells it, which has had two
/// names, one for old drivers.
std::optional<std::pair<std::uint64_t, const char*>> clock_reasons(void* library, void* device) {
  unsigned long long mask = 0;
  for (const char* name :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    if (call(library, name, device, &mask)) return std::pair{std::uint64_t{mask}, name};
  }
  return std::nullopt;
}

/// In 10^6 bytes a second; newer libraries tell it of each link, older ones of all.
unsigned speed_of(void* library, void* device, unsigned link) {
  for (const unsigned which : {speed_of_link, speed_of_all}) {
    Field field{};
    field.field = which;
    field.scope = which == speed_of_link ? link : 0;
    if (call(library, "nvmlDeviceGetFieldValues", device, 1, &field) && field.code == success &&
        field.kind == unsigned_int && field.number > 0)
      return field.number;
  }
  return 0;
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

std::vector<Link> Nvml::links() const {
  std::vector<Link> links;
  if (device_ == nullptr) return links;
  for (unsigned link = 0; link < most_links; ++link) {
    unsigned state = 0, kind = 0;
    if (!call(library_, "nvmlDeviceGetNvLinkState", device_, link, &state) || state != is_up)
      continue;
    PciInfo remote{};
    Link found;
    if (call(library_, "nvmlDeviceGetNvLinkRemotePciInfo_v2", device_, link, &remote)) {
      remote.address.back() = '\0';
      found.to = plain_address(remote.address.data());
    }
    found.to_switch = call(library_, "nvmlDeviceGetNvLinkRemoteDeviceType", device_, link, &kind) &&
                      kind == kind_switch;
    found.mb_per_second = speed_of(library_, device_, link);
    links.push_back(std::move(found));
  }
  return links;
}

std::string plain_address(const std::string& pci_bus_id) {
  unsigned domain = 0, bus = 0, device = 0;
  if (std::sscanf(pci_bus_id.c_str(), "%x:%x:%x", &domain, &bus, &device) != 3) return {};
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x", domain, bus, device);
  return text.data();
}

std::optional<std::string> nvlink_between(const std::vector<Link>& here,
                                          const std::vector<Link>& there,
                                          const std::string& address) {
  const std::string other = plain_address(address);
  const auto count = [](const std::vector<Link>& links, const auto& which) {
    return static_cast<std::size_t>(std::ranges::count_if(links, which));
  };
  const auto direct = [&](const Link& link) { return !link.to_switch && link.to == other; };
  const auto switched = [](const Link& link) { return link.to_switch; };
  std::size_t links = other.empty() ? 0 : count(here, direct);
  const bool by_switch = links == 0;
  // What one of two GPUs has more of leads nowhere.
  if (by_switch) links = std::min(count(here, switched), count(there, switched));
  if (links == 0) return std::nullopt;
  const auto first =
      by_switch ? std::ranges::find_if(here, switched) : std::ranges::find_if(here, direct);
  std::string said = std::to_string(links) + (links == 1 ? " link" : " links");
  if (first->mb_per_second > 0)
    said += " of " + std::to_string(first->mb_per_second) + " MB/s each way";
  if (by_switch) said += ", through switches";
  return said;
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
  if (const auto found = clock_reasons(library_, device_)) {
    const auto text = words_of(found->first);
    facts.push_back({"throttle reasons", text.empty() ? "none" : text, found->second});
  }
  return facts;
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
  if (!nvml.joules())
    throw NotPossible(
        "NVIDIA's management library (NVML) tells no energy of this GPU: it does from Volta on, on "
        "a whole GPU");
  return std::make_unique<Board>(nvml);
}

}  // namespace ladder::nvidia
