// The spaces of the host: OpenMP and Serial. While a rung is measured, each thread of the space is
// pinned to a core, as in the CPU backend.

#include "common/device/host/host_device.hpp"
#include "kokkos/spaces/open.hpp"

namespace ladder::kokkos {
namespace {

template <class Space>
Opened open_host(int device) {
  if (const auto why = why_not_started(device)) {
    throw NotPossible("this Kokkos is built for a GPU too and does not start without one (" + *why +
                      "); preset host builds it for the CPU alone");
  }
  auto runtime = Runtime::start(device);
  const auto host = host::open();
  return {
      .runtime = std::move(runtime), .device = host, .space = Space(), .pinning = &host->pinning()};
}

}  // namespace

#if LADDER_KOKKOS_OPENMP
template <>
std::string_view name_of<Kokkos::OpenMP>() {
  return "kokkos/openmp";
}
template <>
Opened open<Kokkos::OpenMP>(int device) {
  return open_host<Kokkos::OpenMP>(device);
}
#endif

#if LADDER_KOKKOS_SERIAL
template <>
std::string_view name_of<Kokkos::Serial>() {
  return "kokkos/serial";
}
template <>
Opened open<Kokkos::Serial>(int device) {
  return open_host<Kokkos::Serial>(device);
}
#endif

#if !LADDER_KOKKOS_CUDA && !LADDER_KOKKOS_HIP
std::optional<std::string> why_not_started(int) { return std::nullopt; }
#endif

}  // namespace ladder::kokkos
