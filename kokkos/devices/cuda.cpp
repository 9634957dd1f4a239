// The space of an NVIDIA GPU: a stream of its own, whose time is taken by the stream's own events.

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "common/machine/machine.hpp"
#include "common/nvidia/capture.hpp"
#include "common/nvidia/check.hpp"
#include "common/nvidia/clock.hpp"
#include "common/nvidia/device.hpp"
#include "common/nvidia/memory.hpp"
#include "common/nvidia/nvml.hpp"
#include "kokkos/devices.hpp"

namespace ladder::kokkos {
namespace {

using nvidia::check;

class Gpu final : public Device {
 public:
  explicit Gpu(int device)
      : device_(device),
        stream_(make_stream()),
        landing_(make_landing()),
        clock_(stream_.get()),
        nvml_(nvidia::pci_bus_id(device)) {
    check(cudaGetDeviceProperties(&properties_, device));
    facts = nvidia::describe(device);
    for (auto& fact : nvml_.facts()) facts.more.push_back(std::move(fact));
  }

  cudaStream_t stream() const { return stream_.get(); }

  std::vector<Fact> conditions() override { return nvml_.conditions(); }
  std::string memory_space() const override { return "cuda:" + std::to_string(device_); }
  std::size_t free_bytes() override { return nvidia::free_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return nvidia::allocate_buffer(bytes);
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyHostToDevice, stream()));
    synchronize();
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToHost, stream()));
    synchronize();
  }
  void* landing() override { return landing_.get(); }

  std::vector<Launch> look_at(const std::function<void()>& enqueue) override {
    std::vector<Launch> launches;
    for (auto& kernel : nvidia::capture(stream(), properties_, enqueue)) {
      launches.push_back({{}, kernel.grid, kernel.block, std::move(kernel.kernel)});
    }
    return launches;
  }

  bool has_timer() const override { return true; }
  void hold() override { clock_.hold(); }
  void mark_start() override { clock_.mark_start(); }
  void mark_stop() override { clock_.mark_stop(); }
  bool release() override { return clock_.release(); }
  double elapsed() override { return clock_.elapsed(); }
  void synchronize() override { check(cudaStreamSynchronize(stream())); }
  std::optional<std::string> recover() override {
    clock_.let_go();
    return nvidia::recover();
  }

 private:
  struct DestroyStream {
    void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
  };
  struct FreeLanding {
    void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
  };
  static cudaStream_t make_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
  static void* make_landing() {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, 128, cudaHostAllocMapped | cudaHostAllocPortable));
    return memory;
  }

  int device_;
  cudaDeviceProp properties_{};
  std::unique_ptr<CUstream_st, DestroyStream> stream_;
  std::unique_ptr<void, FreeLanding> landing_;
  nvidia::Clock clock_;
  nvidia::Nvml nvml_;
};

}  // namespace

template <>
std::string_view name_of<Kokkos::Cuda>() {
  return "kokkos/cuda";
}

template <>
Opened open<Kokkos::Cuda>(int device) {
  if (const auto why = why_not_started(device)) throw NotPossible(*why);
  auto runtime = Runtime::start(device, machine::find_machine().default_workers);
  auto gpu = std::make_unique<Gpu>(device);
  const Kokkos::Cuda space(gpu->stream());
  return {std::move(runtime), std::move(gpu), space};
}

std::optional<std::string> why_not_started(int device) { return nvidia::why_unusable(device); }

}  // namespace ladder::kokkos
