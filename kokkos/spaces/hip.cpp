// The space of an AMD GPU, on its device's stream. Only its CMake configuration has been tested,
// never a build with Kokkos for HIP.

#include "common/device/amd/amd_device.hpp"
#include "common/model/gpu/kernel_facts.hpp"
#include "kokkos/spaces/open.hpp"

namespace ladder::kokkos {
namespace {

std::vector<Launch> look_at(Device& device, const std::function<void()>& enqueue) {
  return hip::capture(static_cast<hip::Runtime::Stream>(device.stream()), enqueue);
}

}  // namespace

template <>
std::string_view name_of<Kokkos::HIP>() {
  return "kokkos/hip";
}

template <>
Opened open<Kokkos::HIP>(int device) {
  if (const auto why = why_not_started(device)) throw NotPossible(*why);
  auto runtime = Runtime::start(device);
  auto gpu = amd::open(device);
  const Kokkos::HIP space(static_cast<hip::Runtime::Stream>(gpu->stream()));
  return {
      .runtime = std::move(runtime), .device = std::move(gpu), .space = space, .look_at = look_at};
}

std::optional<std::string> why_not_started(int device) { return amd::why_unusable(device); }

}  // namespace ladder::kokkos
