#pragma once

// Links from the devices to the first one's memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/runtime/gpu_runtime.hpp"

namespace ladder::several::LADDER_MODEL {

using ladder::LADDER_MODEL::Runtime;

/// Non-owning handle of a device for a queue; its backend outlives every job.
inline std::shared_ptr<Device> borrowed(Device& device) {
  return {std::shared_ptr<Device>(), &device};
}

/// Selects the GPU and returns its number in the runtime.
inline int number_of(Device& device) {
  int number = 0;
  device.select();
  Runtime::check(LADDER_GPU(GetDevice)(&number));
  return number;
}

/// Gives `device` access to the first device's memory. Throws `NotPossible` if that is impossible.
inline void reach(Device& device, Device& first) {
  const int other = number_of(first), mine = number_of(device);
  if (mine == other) return;
  int can = 0;
  Runtime::check(LADDER_GPU(DeviceCanAccessPeer)(&can, mine, other));
  if (can == 0) {
    throw NotPossible(
        "GPU " + std::to_string(mine) + " does not reach the memory of GPU " +
        std::to_string(other) + ": " +
        (Runtime::on_nvidia ? "nvidia-smi topo -p2p r" : "rocm-smi --showtopoaccess") +
        " says what does");
  }
  const auto code = LADDER_GPU(DeviceEnablePeerAccess)(other, 0);
  if (code != LADDER_GPU(ErrorPeerAccessAlreadyEnabled)) return Runtime::check(code);
  (void)Runtime::last_error();
}

__global__ static void touch(volatile std::uint64_t* word) { *word = 0; }

/// Links to the first device's memory. An idle link sleeps, and the first write over it waits until
/// it is awake: on an H100, for 0.1 ms once NVLink has been idle for 50 ms. Only caches should be
/// cold here, so a write precedes each sample.
class Links {
 public:
  /// Throws `NotPossible` if a device cannot access the first one's memory.
  explicit Links(std::span<Device* const> devices) {
    Device& first = *devices.front();
    for (Device* const device : devices) {
      reach(*device, first);
      from_.push_back(device == &first ? nullptr : device);
    }
    first.select();
    word_ = first.allocate(sizeof(std::uint64_t));
  }
  /// Selects device `index` and waits until its link is awake; does nothing for the first device.
  void wake(std::size_t index) {
    Device* const device = from_[index];
    if (device == nullptr) return;
    auto* word = reinterpret_cast<std::uint64_t*>(word_->data());
    void* parameters[] = {&word};
    device->select();
    Runtime::check(Runtime::launch(reinterpret_cast<const void*>(touch), 1, 1, parameters, 0,
                                   static_cast<Runtime::Stream>(device->stream())));
    device->synchronize();
  }

 private:
  std::vector<Device*> from_;  ///< null for the first device
  std::unique_ptr<Buffer> word_;
};

}  // namespace ladder::several::LADDER_MODEL
