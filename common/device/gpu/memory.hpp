#pragma once

// Memory of a GPU, and of the host where the GPU reaches it.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "common/device/device.hpp"
#include "common/size_text.hpp"

namespace ladder::gpu {

/// Bytes that are free on the current device.
template <class Runtime>
std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  Runtime::check(Runtime::memory_info(&free, &total));
  return free;
}

template <class Runtime>
using Memory = std::unique_ptr<std::byte, typename Runtime::Free>;

/// `bytes` bytes on the current device, aligned to 256. Throws `NotPossible` ("needs X, free Y")
/// where there are not so many.
template <class Runtime>
Memory<Runtime> allocate(std::size_t bytes) {
  std::byte* memory = nullptr;
  const auto code = Runtime::allocate(&memory, std::max<std::size_t>(bytes, 1));
  if (code == Runtime::no_memory) {
    (void)Runtime::last_error();  // not an error of the device: the next call may well succeed
    throw NotPossible("needs " + size_text(bytes) + " of device memory, free " +
                      size_text(free_memory<Runtime>()));
  }
  Runtime::check(code);
  return Memory<Runtime>(memory);
}

template <class Runtime>
using Pinned = std::unique_ptr<std::byte, typename Runtime::FreePinned>;

/// Page-locked memory of the host, visible to both sides at the same address.
template <class Runtime>
Pinned<Runtime> allocate_pinned(std::size_t bytes) {
  std::byte* memory = nullptr;
  Runtime::check(Runtime::allocate_pinned(&memory, bytes));
  return Pinned<Runtime>(memory);
}

/// What owns memory, as the harness sees it.
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

}  // namespace ladder::gpu
