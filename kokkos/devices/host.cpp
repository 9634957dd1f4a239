// The spaces of the host: OpenMP and Serial.

#include <cstring>
#include <string>
#include <utility>

#include "common/machine/machine.hpp"
#include "common/machine/memory.hpp"
#include "common/machine/pinning.hpp"
#include "kokkos/devices.hpp"

namespace ladder::kokkos {
namespace {

/// The machine's own threads, as many as the space runs, each pinned to a core while it is
/// measured, as the CPU backend's are.
class Host final : public Device {
 public:
  Host(machine::Machine machine, unsigned threads)
      : pinning_(std::move(machine.places), threads), threads_(threads) {
    facts = std::move(machine.facts);
    facts.more.push_back({"Kokkos", version(), "KOKKOS_VERSION"});
    facts.more.push_back({"threads of the space", std::to_string(threads), "Kokkos concurrency()"});
  }

  std::vector<Fact> conditions() override { return machine::conditions_of(pinning_.places()); }
  std::string memory_space() const override { return "host"; }
  std::size_t free_bytes() override { return machine::free_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return machine::map_memory(bytes);
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    std::memcpy(destination, source, bytes);
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    std::memcpy(destination, source, bytes);
  }
  void* landing() override { return landing_; }

  // Eviction arms what a job may have armed already.
  void arm() override {
    if (armed_ == 0) pinning_.arm(threads_);
    ++armed_;
  }
  void disarm() override {
    if (--armed_ == 0) pinning_.disarm();
  }
  void synchronize() override { Kokkos::fence("ladder"); }

 private:
  static std::string version() {
    return std::to_string(KOKKOS_VERSION / 10000) + "." +
           std::to_string(KOKKOS_VERSION / 100 % 100) + "." + std::to_string(KOKKOS_VERSION % 100);
  }

  machine::Pinning pinning_;
  unsigned threads_;
  unsigned armed_ = 0;
  alignas(128) std::byte landing_[128]{};
};

template <class Space>
Opened open_host(int device) {
  if (const auto why = why_not_started(device)) {
    throw NotPossible("this Kokkos is built for a GPU too and does not start without one (" + *why +
                      "); preset host builds it for the CPU alone");
  }
  machine::Machine machine = machine::find_machine();
  auto runtime = Runtime::start(device, machine.default_workers);
  const Space space;
  const auto threads = static_cast<unsigned>(space.concurrency());
  return {std::move(runtime), std::make_unique<Host>(std::move(machine), threads), space};
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
