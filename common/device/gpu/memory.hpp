#pragma once

// GPU memory, and host memory that the GPU can access.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "common/device/device.hpp"
#include "common/runtime/gpu_runtime.hpp"
#include "common/size_text.hpp"

namespace ladder::LADDER_MODEL {

/// Free bytes on the current device.
inline std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  Runtime::check(LADDER_GPU(MemGetInfo)(&free, &total));
  return free;
}

using Memory = std::unique_ptr<std::byte, Runtime::Free>;

/// `bytes` bytes on the current device, aligned to 256. Throws `NotPossible` ("needs X, free Y") if
/// there is not enough.
inline Memory allocate(std::size_t bytes) {
  std::byte* memory = nullptr;
  const auto code =
      LADDER_GPU(Malloc)(reinterpret_cast<void**>(&memory), std::max<std::size_t>(bytes, 1));
  if (code == Runtime::no_memory) {
    (void)Runtime::last_error();  // not a device error: the next call may well succeed
    throw NotPossible("needs " + size_text(bytes) + " of device memory, free " +
                      size_text(free_memory()));
  }
  Runtime::check(code);
  return Memory(memory);
}

using Pinned = std::unique_ptr<std::byte, Runtime::FreePinned>;

/// Page-locked host memory, at the same address on host and device.
inline Pinned allocate_pinned(std::size_t bytes) {
  std::byte* memory = nullptr;
  Runtime::check(Runtime::allocate_pinned(&memory, bytes));
  return Pinned(memory);
}

/// Owned memory as the harness's `Buffer`.
template <class Owner>
class OwningBuffer final : public Buffer {
 public:
  OwningBuffer(Owner memory, std::size_t bytes) : memory_(std::move(memory)), bytes_(bytes) {}
  std::byte* data() override { return memory_.get(); }
  std::size_t bytes() const override { return bytes_; }

 private:
  Owner memory_;
  std::size_t bytes_;
};

}  // namespace ladder::LADDER_MODEL
