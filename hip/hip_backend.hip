#include "common/device/amd/amd_device.hpp"
#include "common/device/nvidia/nvidia_device.hpp"
#include "common/gpu/rungs.hpp"
#include "common/model/queue_backend.hpp"

namespace ladder::hip {
namespace {

/// The device is shared with other models that use it.
std::unique_ptr<Queue> open(int device) {
  if constexpr (Runtime::on_nvidia) {
    return std::make_unique<Queue>(nvidia::open(device));
  } else {
    return std::make_unique<Queue>(amd::open(device));
  }
}

}  // namespace

std::unique_ptr<Backend> make_backend(std::span<const Extra> more) {
  return std::make_unique<QueueBackend<Queue>>("hip", open, table(), library(), more,
                                               batch_table());
}

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend({}));
  return one;
}

}  // namespace ladder::hip
