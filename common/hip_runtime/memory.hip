#include <algorithm>

#include "common/hip_runtime/check.hpp"
#include "common/hip_runtime/memory.hpp"
#include "common/size_text.hpp"

namespace ladder::hip_runtime {
namespace {

class DeviceBuffer final : public Buffer {
 public:
  explicit DeviceBuffer(std::size_t bytes)
      : memory_(allocate(std::max<std::size_t>(bytes, 1))), bytes_(bytes) {}
  std::byte* data() override { return memory_.get(); }
  std::size_t bytes() const override { return bytes_; }

 private:
  Memory memory_;
  std::size_t bytes_;
};

}  // namespace

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check(hipMemGetInfo(&free, &total));
  return free;
}

Memory allocate(std::size_t bytes) {
  void* memory = nullptr;
  const hipError_t code = hipMalloc(&memory, bytes);
  if (code == hipErrorOutOfMemory) {
    (void)hipGetLastError();  // not an error of the device: the next call may well succeed
    throw NotPossible("needs " + size_text(bytes) + " of device memory, free " +
                      size_text(free_memory()));
  }
  check(code);
  return Memory(static_cast<std::byte*>(memory));
}

std::unique_ptr<Buffer> allocate_buffer(std::size_t bytes) {
  return std::make_unique<DeviceBuffer>(bytes);
}

}  // namespace ladder::hip_runtime
