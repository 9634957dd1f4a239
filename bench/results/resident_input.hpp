#pragma once

// The inputs, resident where they are read: one buffer per device, type and kind of data, as large
// as the largest n, every smaller size its prefix.

#include <memory>
#include <span>

#include "common/device/device.hpp"

namespace ladder::bench {

class ResidentInput {
 public:
  /// Allocates and fills `n` elements, `shift` bytes (a multiple of 256) behind the buffer's start.
  /// With `guarded` there is room for the guards behind them; without, the allocation ends with the
  /// last element, and a memory checker sees a read past it. `file` has the elements, if not null.
  ResidentInput(Device& device, Type type, const Recipe& recipe, std::size_t n, std::size_t shift,
                const void* file, bool guarded);

  const std::byte* data() const { return at(0); }
  const Recipe& recipe() const { return recipe_; }

  /// For one sample of the first n elements: writes guards behind them and the deciding elements at
  /// the indices `planted`.
  void guard_and_plant(std::size_t n, Operation operation, std::span<const std::size_t> planted);
  /// Writes the data again where `guard_and_plant` wrote.
  void restore(std::size_t n, std::span<const std::size_t> planted);

 private:
  std::byte* at(std::size_t i) const { return buffer_->data() + shift_ + i * facts(type_).bytes; }
  void write(std::size_t first, std::size_t count);

  Device& device_;
  Type type_;
  Recipe recipe_;
  std::size_t n_, capacity_;  ///< in elements, without and with the room for guards
  std::size_t shift_;         ///< in bytes
  const void* file_;          ///< all elements, or null
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace ladder::bench
