#pragma once

// The ways from devices to the memory of the first of them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/model/queue.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::gpu {

/// Enqueues a kernel on the stream of the device, which has to be the current one.
template <class Runtime>
void launch_on(Device& device, const void* code, const Shape& shape, void** parameters) {
  Runtime::check(Runtime::launch(code, static_cast<unsigned>(shape.grid), shape.block, parameters,
                                 shape.shared,
                                 static_cast<typename Runtime::Stream>(device.stream())));
}

/// Lets `device` reach the first one's memory. Throws `NotPossible` where it cannot.
template <class Runtime>
void reach(Device& device, Device& first) {
  int mine = 0, other = 0, can = 0;
  first.select();
  Runtime::check(Runtime::current_device(&other));
  device.select();
  Runtime::check(Runtime::current_device(&mine));
  if (mine == other) return;
  Runtime::check(Runtime::can_reach(&can, mine, other));
  if (can == 0) {
    throw NotPossible("GPU " + std::to_string(mine) + " does not reach the memory of GPU " +
                      std::to_string(other) + ": " + std::string(Runtime::who_tells_of_peers) +
                      " says what does");
  }
  Runtime::check(Runtime::reach(other));
}

__global__ static void touch(volatile std::uint64_t* word) { *word = 0; }

/// The ways to the first one's memory. A link that nobody has used for a while sleeps, and the
/// first write over it waits until it is awake: NVLink after 50 ms, for 0.1 ms, on an H100. What
/// is cold here is caches, so before each sample something is written.
template <class Runtime>
class Links {
 public:
  /// Throws `NotPossible` where a side does not reach the first one's memory.
  explicit Links(std::span<const Side> sides) {
    Device& first = *sides.front().device;
    for (const Side& side : sides) {
      reach<Runtime>(*side.device, first);
      from_.push_back(side.device == &first ? nullptr : side.device);
    }
    first.select();
    word_ = first.allocate(sizeof(std::uint64_t));
  }
  /// Returns when the way from this side is awake, which leaves its device selected.
  void wake(std::size_t side) {
    Device* const device = from_[side];
    if (device == nullptr) return;
    auto* word = reinterpret_cast<std::uint64_t*>(word_->data());
    void* parameters[] = {&word};
    device->select();
    launch_on<Runtime>(*device, reinterpret_cast<const void*>(touch), {1, 1}, parameters);
    device->synchronize();
  }
  std::size_t sides() const { return from_.size(); }

 private:
  std::vector<Device*> from_;  ///< null: the first one itself
  std::unique_ptr<Buffer> word_;
};

}  // namespace ladder::several::gpu
