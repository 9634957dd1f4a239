// The space of an AMD GPU, after cuda.cpp. It has never run on one: it was held against HIP's own
// headers alone, of a version older than Kokkos 5 takes.

#include <atomic>
#include <cstdint>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

#include <hip/hip_runtime_api.h>

#include "common/machine/machine.hpp"
#include "kokkos/devices.hpp"

namespace ladder::kokkos {
namespace {

/// Throws unless `code` is a success, naming the place that asked.
void check(hipError_t code, std::source_location where = std::source_location::current()) {
  if (code == hipSuccess) return;
  const std::string file = where.file_name();
  throw std::runtime_error(std::string(hipGetErrorString(code)) + " (" + hipGetErrorName(code) +
                           ", " + file.substr(file.find_last_of('/') + 1) + ":" +
                           std::to_string(where.line()) + ")");
}

class DeviceBuffer final : public Buffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    const hipError_t code = hipMalloc(&memory_, bytes == 0 ? 1 : bytes);
    if (code == hipErrorOutOfMemory) {
      (void)hipGetLastError();
      std::size_t free = 0, total = 0;
      check(hipMemGetInfo(&free, &total));
      throw NotPossible("needs " + std::to_string(bytes) + " bytes of device memory, free " +
                        std::to_string(free));
    }
    check(code);
  }
  ~DeviceBuffer() override { (void)hipFree(memory_); }
  std::byte* data() override { return static_cast<std::byte*>(memory_); }
  std::size_t bytes() const override { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

/// Page-locked, visible to both sides at the same address; each part has cache lines of its own.
struct Shared {
  alignas(128) std::byte landing[128];
  alignas(128) std::uint32_t released;
  alignas(128) std::uint32_t gave_up;
};

/// Waits until the host has let go this hold's number or a later one, as common/nvidia/clock does;
/// its limit is a number of looks, each of which goes over the bus.
struct Wait {
  Shared* shared;
  std::uint32_t number;

  KOKKOS_FUNCTION void operator()(int) const {
    const volatile std::uint32_t* const released = &shared->released;
    constexpr int looks = 1 << 22;
    for (int i = 0; i < looks; ++i) {
      if (static_cast<std::int32_t>(*released - number) >= 0) return;
    }
    shared->gave_up = number;
    Kokkos::memory_fence();
  }
};

class Gpu final : public Device {
 public:
  explicit Gpu(int device) : device_(device) {
    check(hipSetDevice(device));
    hipStream_t stream = nullptr;
    check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    stream_.reset(stream);
    void* shared = nullptr;
    check(hipHostMalloc(&shared, sizeof(Shared), hipHostMallocMapped | hipHostMallocPortable));
    shared_.reset(new (shared) Shared{});
    start_ = make_event();
    stop_ = make_event();
    describe();
  }
  ~Gpu() override {
    let_go();
    (void)hipStreamSynchronize(stream());
  }

  hipStream_t stream() const { return stream_.get(); }
  void use(const Kokkos::HIP& space) { space_ = std::make_unique<Kokkos::HIP>(space); }

  std::vector<Fact> conditions() override { return {}; }
  std::string memory_space() const override { return "hip:" + std::to_string(device_); }
  std::size_t free_bytes() override {
    std::size_t free = 0, total = 0;
    check(hipMemGetInfo(&free, &total));
    return free;
  }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<DeviceBuffer>(bytes);
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    check(hipMemcpyAsync(destination, source, bytes, hipMemcpyHostToDevice, stream()));
    synchronize();
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    check(hipMemcpyAsync(destination, source, bytes, hipMemcpyDeviceToHost, stream()));
    synchronize();
  }
  void* landing() override { return shared_->landing; }

  bool has_timer() const override { return true; }
  void hold() override {
    Kokkos::parallel_for("hold",
                         Kokkos::RangePolicy<Kokkos::HIP, Kokkos::IndexType<int>>(*space_, 0, 1),
                         Wait{shared_.get(), ++holds_});
  }
  void mark_start() override { check(hipEventRecord(start_.get(), stream())); }
  void mark_stop() override { check(hipEventRecord(stop_.get(), stream())); }
  bool release() override {
    let_go();
    synchronize();
    return std::atomic_ref(shared_->gave_up).load(std::memory_order_acquire) != holds_;
  }
  double elapsed() override {
    float milliseconds = 0;
    check(hipEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    return 1e-3 * static_cast<double>(milliseconds);
  }
  void synchronize() override { check(hipStreamSynchronize(stream())); }
  std::optional<std::string> recover() override {
    let_go();
    (void)hipGetLastError();
    const hipError_t code = hipDeviceSynchronize();
    if (code == hipSuccess) return std::nullopt;
    return "the GPU is lost to this process (" + std::string(hipGetErrorString(code)) +
           "): start the program again";
  }

 private:
  struct DestroyStream {
    void operator()(hipStream_t stream) const noexcept { (void)hipStreamDestroy(stream); }
  };
  struct DestroyEvent {
    void operator()(hipEvent_t event) const noexcept { (void)hipEventDestroy(event); }
  };
  struct FreeShared {
    void operator()(Shared* shared) const noexcept { (void)hipHostFree(shared); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<hipEvent_t>, DestroyEvent>;

  static Event make_event() {
    hipEvent_t event = nullptr;
    check(hipEventCreate(&event));
    return Event(event);
  }

  void let_go() noexcept {
    std::atomic_ref(shared_->released).store(holds_, std::memory_order_release);
  }

  void describe() {
    hipDeviceProp_t properties;
    check(hipGetDeviceProperties(&properties, device_));
    facts.name = properties.name;
    facts.kind = "gpu";
    facts.last_level_cache = static_cast<std::size_t>(properties.l2CacheSize);
    facts.memory_bytes = properties.totalGlobalMem;
    facts.units = static_cast<unsigned>(properties.multiProcessorCount);
    // Memory clock times bus width is wrong for some of these (MI300), so nothing is said.
    facts.peak_source = "not known here for this device (say --peak-gbs)";
    facts.more.push_back({"architecture", properties.gcnArchName, "hipGetDeviceProperties"});
    facts.more.push_back(
        {"wavefront", std::to_string(properties.warpSize), "hipGetDeviceProperties"});
  }

  int device_;
  std::unique_ptr<std::remove_pointer_t<hipStream_t>, DestroyStream> stream_;
  std::unique_ptr<Shared, FreeShared> shared_;
  Event start_, stop_;
  std::unique_ptr<Kokkos::HIP> space_;
  std::uint32_t holds_ = 0;
};

}  // namespace

template <>
std::string_view name_of<Kokkos::HIP>() {
  return "kokkos/hip";
}

template <>
Opened open<Kokkos::HIP>(int device) {
  if (const auto why = why_not_started(device)) throw NotPossible(*why);
  auto runtime = Runtime::start(device, machine::find_machine().default_workers);
  auto gpu = std::make_unique<Gpu>(device);
  const Kokkos::HIP space(gpu->stream());
  gpu->use(space);
  return {std::move(runtime), std::move(gpu), space};
}

std::optional<std::string> why_not_started(int device) {
  int count = 0;
  const hipError_t code = hipGetDeviceCount(&count);
  (void)hipGetLastError();
  if (code != hipSuccess || count == 0) {
    return std::string("no AMD GPU that HIP can use was found (") + hipGetErrorString(code) +
           "): look at rocminfo and at HIP_VISIBLE_DEVICES, or leave this backend out";
  }
  if (device < 0 || device >= count) {
    return "there is no GPU " + std::to_string(device) + ": " + std::to_string(count) +
           (count == 1 ? " was" : " were") + " found, counted from 0";
  }
  return std::nullopt;
}

}  // namespace ladder::kokkos
