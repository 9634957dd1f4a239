#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "common/device/gpu/gpu.hpp"
#include "common/device/nvidia/nvidia_device.hpp"
#include "common/device/nvidia/nvml.hpp"

namespace ladder::nvidia {
namespace {

using LADDER_MODEL::GpuDevice, LADDER_MODEL::Runtime;

/// Empty kernel: loads only if this build has code for the device.
__global__ void probe() {}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Compute capabilities of this build's code. nvcc lists each times 100: 900 is 9.0.
std::string built_for() {
  std::string text;
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    if (!text.empty()) text += ", ";
    text += std::to_string(architecture / 100) + "." + std::to_string(architecture % 100 / 10);
  }
  return text;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  Runtime::check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

std::string capability(int device) {
  return std::to_string(attribute(cudaDevAttrComputeCapabilityMajor, device)) + "." +
         std::to_string(attribute(cudaDevAttrComputeCapabilityMinor, device));
}

std::string device_name(int device) {
  cudaDeviceProp properties;
  Runtime::check(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

/// "0000:1B:00.0", the management library's key of a device.
std::string pci_bus_id(int device) {
  std::array<char, 32> text{};
  Runtime::check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  return text.data();
}

/// UUID as nvidia-smi -L prints it: "GPU-57f2fd7e-293d-9763-2e3c-68d7c0ae12e9".
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    std::array<char, 4> digits{};
    const bool dash = i == 4 || i == 6 || i == 8 || i == 10;
    std::snprintf(digits.data(), digits.size(), "%s%02x", dash ? "-" : "",
                  static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    text += digits.data();
  }
  return text;
}

/// The facts of a usable device, each with its source.
DeviceFacts describe(int device) {
  cudaDeviceProp properties;
  Runtime::check(cudaGetDeviceProperties(&properties, device));
  int driver = 0, runtime = 0;
  Runtime::check(cudaDriverGetVersion(&driver));
  Runtime::check(cudaRuntimeGetVersion(&runtime));

  DeviceFacts facts;
  facts.name = properties.name;
  facts.kind = "gpu";
  facts.id = uuid_text(properties.uuid);
  facts.last_level_cache = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, device));
  facts.memory_bytes = properties.totalGlobalMem;
  facts.units = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, device));
  Runtime::check(cudaGetDeviceCount(&facts.seen));
  facts.bulk_copies = properties.major >= 9;
  facts.capability = static_cast<unsigned>(properties.major * 10 + properties.minor);
  cudaFuncAttributes code;
  Runtime::check(cudaFuncGetAttributes(&code, probe));
  facts.code_capability = static_cast<unsigned>(code.ptxVersion);
  facts.lanes = static_cast<unsigned>(properties.warpSize);
  facts.max_grid = static_cast<std::size_t>(properties.maxGridSize[0]);

  const int clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
  const int bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  const std::string source = "cudaDeviceGetAttribute";
  if (clock_khz > 0 && bus_bits > 0) {
    // Two transfers per clock, on all memory of NVIDIA GPUs since GDDR3.
    facts.peak_gbs = 2.0 * clock_khz * 1e3 * (bus_bits / 8.0) / 1e9;
    facts.peak_source = source + ": memory clock " + std::to_string(clock_khz / 1000) +
                        " MHz x bus " + std::to_string(bus_bits) + " bits x 2 transfers";
  } else {
    facts.peak_source = source + " tells no memory clock or bus width for this device";
  }

  const auto add = [&](std::string name, std::string value) {
    facts.more.push_back({std::move(name), std::move(value), source});
  };
  add("compute capability", capability(device));
  add("memory clock MHz", std::to_string(clock_khz / 1000));
  add("memory bus bits", std::to_string(bus_bits));
  add("core clock MHz", std::to_string(attribute(cudaDevAttrClockRate, device) / 1000));
  add("ECC", attribute(cudaDevAttrEccEnabled, device) != 0 ? "on" : "off");
  facts.more.push_back({"CUDA driver", version_text(driver), "cudaDriverGetVersion"});
  facts.more.push_back({"CUDA runtime", version_text(runtime), "cudaRuntimeGetVersion"});
  facts.more.push_back({"compiled for", built_for(), "nvcc"});
  facts.more.push_back({"PCI bus", pci_bus_id(device), "cudaDeviceGetPCIBusId"});
  return facts;
}

/// Adds the conditions that the driver's management library reports.
class NvidiaGpu final : public GpuDevice {
 public:
  explicit NvidiaGpu(int device)
      : GpuDevice(device, "cuda:" + std::to_string(device), usable(device)),
        nvml_(pci_bus_id(device)) {}
  std::vector<Fact> conditions() override {
    std::vector<Fact> facts = nvml_.conditions();
    if (clocks_.empty()) return facts;
    std::ranges::sort(clocks_);
    facts.push_back({"SM clock MHz between samples",
                     std::to_string(clocks_[clocks_.size() / 2]) + " (" +
                         std::to_string(clocks_.front()) + " to " + std::to_string(clocks_.back()) +
                         ", " + std::to_string(clocks_.size()) + " looks)",
                     "nvmlDeviceGetClockInfo"});
    return facts;
  }
  /// Queries the driver ten times a second, seldom enough not to disturb the measurement. While it
  /// reports a slowdown, queries it after each sample.
  std::string disturbance() override {
    const auto now = std::chrono::steady_clock::now();
    if (slowed_.empty() && now - looked_ < std::chrono::milliseconds(100)) return {};
    looked_ = now;
    if (const auto clock = nvml_.clock_mhz()) clocks_.push_back(*clock);
    slowed_ = nvml_.slowdown();
    return slowed_;
  }
  std::unique_ptr<EnergyCounter> energy_counter() override { return nvidia::energy_counter(nvml_); }

 private:
  static DeviceFacts usable(int device) {
    if (const auto why = why_unusable(device)) throw NotPossible(*why);
    DeviceFacts facts = describe(device);
    const Nvml nvml(pci_bus_id(device));
    for (auto& fact : nvml.facts()) facts.more.push_back(std::move(fact));
    facts.part = nvml.sharing();
    return facts;
  }

  Nvml nvml_;
  std::chrono::steady_clock::time_point looked_;
  std::string slowed_;            ///< at the last query
  std::vector<unsigned> clocks_;  ///< at each query
};

}  // namespace

std::optional<std::string> why_unusable(int device) {
  if (auto why = why_launches_wait({"CUDA_LAUNCH_BLOCKING"})) return why;
  int driver = 0, runtime = 0, count = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0) {
    return "no NVIDIA driver was found on this machine: install one (this program is built with "
           "CUDA " +
           version_text(runtime) + "), or leave this backend out";
  }
  const cudaError_t counted = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (counted == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is too old: it serves CUDA " + version_text(driver) +
           ", this program is built with CUDA " + version_text(runtime) +
           ": update the driver, or build with an older CUDA toolkit";
  }
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    return "the NVIDIA driver (CUDA " + version_text(driver) +
           ") shows no GPU: look at nvidia-smi and at CUDA_VISIBLE_DEVICES";
  }
  if (counted != cudaSuccess) {
    return std::string("the NVIDIA driver does not answer: ") + cudaGetErrorString(counted);
  }
  if (device < 0 || device >= count) {
    return "there is no GPU " + std::to_string(device) + ": " + std::to_string(count) +
           (count == 1 ? " was" : " were") + " found, counted from 0";
  }

  const cudaError_t chosen = cudaSetDevice(device);
  cudaFuncAttributes attributes;
  const cudaError_t loaded = cudaFuncGetAttributes(&attributes, probe);
  cudaGetLastError();
  if (chosen == cudaSuccess &&
      (loaded == cudaErrorNoKernelImageForDevice || loaded == cudaErrorInvalidDeviceFunction ||
       loaded == cudaErrorUnsupportedPtxVersion)) {
    const std::string found = capability(device);
    std::string architecture = found;
    architecture.erase(architecture.find('.'), 1);
    return "this build has no code for " + device_name(device) + ", compute capability " + found +
           ": it has " + built_for() +
           "; configure with -DCMAKE_CUDA_ARCHITECTURES=" + architecture;
  }
  if (chosen != cudaSuccess || loaded != cudaSuccess) {
    return "GPU " + std::to_string(device) +
           " cannot be used: " + cudaGetErrorString(chosen != cudaSuccess ? chosen : loaded);
  }
  return std::nullopt;
}

std::shared_ptr<Device> open(int device) { return LADDER_MODEL::open_shared<NvidiaGpu>(device); }

}  // namespace ladder::nvidia
