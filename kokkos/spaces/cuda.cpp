// The space of an NVIDIA GPU, on its device's stream.

#include "common/device/nvidia/nvidia_device.hpp"
#include "common/model/gpu/kernel_facts.hpp"
#include "kokkos/spaces/open.hpp"

namespace ladder::kokkos {
namespace {

std::vector<Launch> look_at(Device& device, const std::function<void()>& enqueue) {
  return cuda::capture(static_cast<cuda::Runtime::Stream>(device.stream()), enqueue);
}

}  // namespace

template <>
std::string_view name_of<Kokkos::Cuda>() {
  return "kokkos/cuda";
}

template <>
Opened open<Kokkos::Cuda>(int device) {
  if (const auto why = why_not_started(device)) throw NotPossible(*why);
  auto runtime = Runtime::start(device);
  auto gpu = nvidia::open(device);
  const Kokkos::Cuda space(static_cast<cuda::Runtime::Stream>(gpu->stream()));
  return {
      .runtime = std::move(runtime), .device = std::move(gpu), .space = space, .look_at = look_at};
}

std::optional<std::string> why_not_started(int device) { return nvidia::why_unusable(device); }

}  // namespace ladder::kokkos
