// Built for AMD. Only the tests build it for NVIDIA and run it there on a GPU, so messages to the
// user mention AMD only.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

// First include: without it clang does not recognise kernels.
#include <hip/hip_runtime.h>

#include "common/device/amd/amd_device.hpp"
#include "common/device/amd/peaks.hpp"
#include "common/device/amd/smi.hpp"
#include "common/device/gpu/gpu.hpp"

namespace ladder::amd {
namespace {

using LADDER_MODEL::GpuDevice, LADDER_MODEL::Runtime;
constexpr bool on_nvidia = Runtime::on_nvidia;

/// Empty kernel: loads only if this build has code for the device.
__global__ void probe() {}

std::string version_text(int version) {
  return std::to_string(version / 10'000'000) + "." +
         std::to_string(version % 10'000'000 / 100'000) + "." + std::to_string(version % 100'000);
}

int attribute(hipDeviceAttribute_t which, int device) {
  int value = 0;
  Runtime::check(hipDeviceGetAttribute(&value, which, device));
  return value;
}

hipDeviceProp_t properties_of(int device) {
  hipDeviceProp_t properties;
  Runtime::check(hipGetDeviceProperties(&properties, device));
  return properties;
}

/// "gfx90a", or "9.0" on an NVIDIA GPU.
std::string architecture(const hipDeviceProp_t& properties) {
  if constexpr (on_nvidia) {
    return std::to_string(properties.major) + "." + std::to_string(properties.minor);
  } else {
    const std::string name = properties.gcnArchName;  // "gfx90a:sramecc+:xnack-"
    return name.substr(0, name.find(':'));
  }
}

/// Compiled architectures, as CMake lists them: "gfx90a,gfx1030", "90-real".
constexpr std::string_view built_for = LADDER_HIP_ARCHITECTURES;

bool lists(std::string_view all, std::string_view one) {
  while (!all.empty()) {
    const std::string_view first = all.substr(0, all.find(','));
    if (first.substr(0, first.find(':')) == one) return true;
    all.remove_prefix(std::min(all.size(), first.size() + 1));
  }
  return false;
}

std::string no_code_for(const hipDeviceProp_t& properties) {
  return "this build has no code for " + std::string(properties.name) + ", architecture " +
         architecture(properties) + ": it has " + std::string(built_for) +
         "; configure with -DCMAKE_HIP_ARCHITECTURES=" + architecture(properties);
}

std::string pci_bus_id(int device) {
  std::array<char, 32> text{};
  Runtime::check(hipDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  return text.data();
}

/// The facts of a usable device, each with its source.
DeviceFacts describe(int device) {
  const hipDeviceProp_t properties = properties_of(device);
  int driver = 0, runtime = 0;
  Runtime::check(hipDriverGetVersion(&driver));
  Runtime::check(hipRuntimeGetVersion(&runtime));

  DeviceFacts facts;
  facts.name = properties.name;
  facts.kind = "gpu";
  facts.last_level_cache =
      static_cast<std::size_t>(attribute(hipDeviceAttributeL2CacheSize, device));
  facts.memory_bytes = properties.totalGlobalMem;
  facts.units = static_cast<unsigned>(properties.multiProcessorCount);
  Runtime::check(hipGetDeviceCount(&facts.seen));
  facts.lanes = static_cast<unsigned>(properties.warpSize);
  facts.max_grid = static_cast<std::size_t>(properties.maxGridSize[0]);
  // AMD counts them with 32 bits, a limit that the device's properties do not report.
  if (!on_nvidia) facts.max_grid_threads = std::numeric_limits<std::uint32_t>::max();

  const int clock_khz = attribute(hipDeviceAttributeMemoryClockRate, device);
  const int bus_bits = attribute(hipDeviceAttributeMemoryBusWidth, device);
  const auto sheet = on_nvidia ? std::nullopt : sheet_of(facts.name);
  // Only stacked memory has so wide a bus; it transfers two bits per line and clock. For GDDR6,
  // AMD's driver reports a different clock.
  const bool formula_holds = on_nvidia || bus_bits >= 1024;
  const std::string source = "hipDeviceGetAttribute";
  if (sheet) {
    facts.peak_gbs = sheet->peak_gbs;
    facts.peak_source = "AMD's own figure for the " + std::string(sheet->name);
    facts.last_level_cache = std::max(facts.last_level_cache, sheet->last_level_mib << 20);
  } else if (formula_holds && clock_khz > 0 && bus_bits > 0) {
    facts.peak_gbs = 2.0 * clock_khz * 1e3 * (bus_bits / 8.0) / 1e9;
    facts.peak_source = source + ": memory clock " + std::to_string(clock_khz / 1000) +
                        " MHz x bus " + std::to_string(bus_bits) + " bits x 2 transfers";
  } else {
    facts.peak_source = "not known for this device (--peak-gbs=hip:GBS gives it)";
  }

  const auto add = [&](std::string name, std::string value) {
    facts.more.push_back({std::move(name), std::move(value), source});
  };
  facts.more.push_back({"architecture", architecture(properties), "hipGetDeviceProperties"});
  add("wavefront", std::to_string(properties.warpSize));
  add(on_nvidia ? "multiprocessors" : "compute units", std::to_string(facts.units));
  add("shared memory (LDS) of a block, bytes",
      std::to_string(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device)));
  add("memory clock MHz", std::to_string(clock_khz / 1000));
  add("memory bus bits", std::to_string(bus_bits));
  add("core clock MHz", std::to_string(attribute(hipDeviceAttributeClockRate, device) / 1000));
  facts.more.push_back({"HIP driver", version_text(driver), "hipDriverGetVersion"});
  facts.more.push_back({"HIP runtime", version_text(runtime), "hipRuntimeGetVersion"});
  facts.more.push_back({"compiled for", std::string(built_for), "CMake"});
  facts.more.push_back({"PCI bus", pci_bus_id(device), "hipDeviceGetPCIBusId"});
  return facts;
}

class AmdGpu final : public GpuDevice {
 public:
  explicit AmdGpu(int device)
      : GpuDevice(device, "hip:" + std::to_string(device), usable(device)),
        pci_bus_id_(pci_bus_id(device)) {}
  std::unique_ptr<EnergyCounter> energy_counter() override { return open_smi(pci_bus_id_); }

 private:
  static DeviceFacts usable(int device) {
    if (const auto why = why_unusable(device)) throw NotPossible(*why);
    return describe(device);
  }

  std::string pci_bus_id_;
};

}  // namespace

std::optional<std::string> why_unusable(int device) {
  if (auto why = why_launches_wait(
          {"CUDA_LAUNCH_BLOCKING", "HIP_LAUNCH_BLOCKING", "AMD_SERIALIZE_KERNEL"})) {
    return why;
  }
  int driver = 0, runtime = 0, count = 0;
  (void)hipDriverGetVersion(&driver);
  (void)hipRuntimeGetVersion(&runtime);
  const hipError_t counted = hipGetDeviceCount(&count);
  (void)hipGetLastError();
  if (counted == hipErrorInsufficientDriver) {
    return "the AMD driver is too old: it serves " + version_text(driver) +
           ", this program is built with " + version_text(runtime) +
           ": update the driver, or build with older tools";
  }
  if (counted == hipErrorNoDevice || (counted == hipSuccess && count == 0)) {
    return "no AMD GPU that HIP can use was found: look at rocminfo, at HIP_VISIBLE_DEVICES, and "
           "at who may open /dev/kfd (the group render), or leave this backend out";
  }
  if (counted != hipSuccess) {
    return std::string("the AMD driver does not answer: ") + hipGetErrorString(counted);
  }
  if (device < 0 || device >= count) {
    return "there is no GPU " + std::to_string(device) + ": " + std::to_string(count) +
           (count == 1 ? " was" : " were") + " found, counted from 0";
  }

  hipError_t code = hipSetDevice(device);
  if (code == hipSuccess) {
    const hipDeviceProp_t properties = properties_of(device);
    // Checked before loading a kernel: some HIP versions for AMD end the process if none fits. A
    // newer NVIDIA GPU may run older code, so there only the driver can tell.
    if (!on_nvidia && !lists(built_for, architecture(properties))) return no_code_for(properties);
    hipFuncAttributes attributes;
    code = hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(probe));
    (void)hipGetLastError();
    if (code == hipErrorNoBinaryForGpu || code == hipErrorInvalidDeviceFunction) {
      return no_code_for(properties);
    }
  }
  if (code != hipSuccess) {
    return "GPU " + std::to_string(device) + " cannot be used: " + hipGetErrorString(code);
  }
  return std::nullopt;
}

std::shared_ptr<Device> open(int device) { return LADDER_MODEL::open_shared<AmdGpu>(device); }

}  // namespace ladder::amd
