#include <exception>
#include <string>

#include <Kokkos_Core.hpp>

#include "common/device/host/host_device.hpp"
#include "kokkos/kokkos_runtime.hpp"
#include "kokkos/spaces/spaces.hpp"

namespace ladder::kokkos {

std::shared_ptr<Runtime> Runtime::start(int device, unsigned threads) {
  static std::weak_ptr<Runtime> running;
  if (auto runtime = running.lock()) {
    if (runtime->device_ != device) {
      throw NotPossible("Kokkos runs on device " + std::to_string(runtime->device_) +
                        " and starts once in a process: ask for device " + std::to_string(device) +
                        " in another");
    }
    return runtime;
  }
  if (Kokkos::is_initialized() || Kokkos::is_finalized()) {
    throw NotPossible("Kokkos starts once in a process, and has been started before");
  }
  if constexpr (any_on_host) {
    if (threads == 0) threads = host::open()->pinning().default_workers();
  }
  std::shared_ptr<Runtime> runtime;
  try {
    runtime.reset(new Runtime(device, threads));
  } catch (const std::exception& error) {
    throw NotPossible(std::string("Kokkos cannot be started: ") + error.what());
  }
  running = runtime;
  return runtime;
}

Runtime::Runtime(int device, unsigned threads) : device_(device) {
  // The harness pins threads, not OMP_PROC_BIND, so Kokkos's warnings would mislead.
  Kokkos::InitializationSettings settings;
  settings.set_device_id(device).set_disable_warnings(true);
  if (threads != 0) settings.set_num_threads(static_cast<int>(threads));
  Kokkos::initialize(settings);
}

Runtime::~Runtime() { Kokkos::finalize(); }

}  // namespace ladder::kokkos
