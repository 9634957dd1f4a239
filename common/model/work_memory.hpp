#pragma once

// The memory that rungs run in besides their input.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/model/exact.hpp"

namespace ladder {

/// One for each device, whichever models are on it: where a result or a partial lies can be worth a
/// few percent, so both sides of a ratio between models write to the same addresses. Calls on a
/// device go one after another, and each leaves the ticket, the words and the digits as the next
/// one needs them.
class WorkMemory {
 public:
  static constexpr std::size_t granule = 256;  ///< bytes of each of the small pieces
  static constexpr std::uint32_t most_words = 1U << 17;

  explicit WorkMemory(std::shared_ptr<Device> device)
      : device_(std::move(device)),
        result_(device_->allocate(granule)),
        ticket_(device_->allocate(granule)),
        words_(device_->allocate((most_words + 1) * sizeof(std::uint64_t))),
        digits_(device_->allocate(sizeof(std::int64_t) * exact::copies * exact::stride)),
        pinned_(device_->allocate_pinned(granule)) {
    device_->enqueue_set(ticket_->data(), 0, granule);
    device_->enqueue_set(words_->data(), 0, words_->bytes());
    device_->enqueue_set(words_->data(), 1, sizeof(std::uint64_t));
    device_->enqueue_set(digits_->data(), 0, digits_->bytes());
  }

  Device& device() const { return *device_; }
  std::byte* result() const { return result_->data(); }
  std::byte* ticket() const { return ticket_->data(); }
  std::byte* words() const { return words_->data(); }
  std::byte* digits() const { return digits_->data(); }
  std::byte* pinned() const { return pinned_->data(); }
  std::byte* scratch() const { return scratch_ ? scratch_->data() : nullptr; }
  std::size_t scratch_bytes() const { return scratch_ ? scratch_->bytes() : 0; }

  /// Makes room for runs that need up to `bytes` bytes of scratch. Throws `NotPossible`.
  void reserve(std::size_t bytes) {
    if (bytes <= scratch_bytes()) return;
    device_->synchronize();
    scratch_.reset();
    scratch_ = device_->allocate(bytes);
  }

 private:
  std::shared_ptr<Device> device_;
  std::unique_ptr<Buffer> result_, ticket_, words_, digits_, pinned_, scratch_;
};

/// The one of this device, for as long as somebody has it.
inline std::shared_ptr<WorkMemory> work_memory_on(std::shared_ptr<Device> device) {
  // No map: clang 15 dies of one when it compiles C++20 as HIP.
  static std::vector<std::pair<const Device*, std::weak_ptr<WorkMemory>>> known;
  std::erase_if(known, [](const auto& one) { return one.second.expired(); });
  const auto found =
      std::ranges::find(known, device.get(), [](const auto& one) { return one.first; });
  if (found != known.end()) return found->second.lock();
  const Device* const key = device.get();
  auto made = std::make_shared<WorkMemory>(std::move(device));
  known.emplace_back(key, made);
  return made;
}

}  // namespace ladder
