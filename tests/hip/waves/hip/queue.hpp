#pragma once

// Stands in for hip/queue.hpp: what rungs use of a queue, each launch being run at once.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include <hip/hip_runtime.h>

#include "common/accounting.hpp"

namespace ladder::hip {

struct Shape {
  std::size_t grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

class Queue {
 public:
  template <class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass&,
              const Argument&... arguments) {
    fibers::run(static_cast<unsigned>(shape.grid), shape.block, shape.shared,
                [&] { kernel(static_cast<Parameter>(arguments)...); });
  }

  /// As it comes: full of something.
  template <class T>
  T* scratch(std::size_t count) {
    scratch_.push_back(std::make_unique<std::byte[]>(count * sizeof(T)));
    std::memset(scratch_.back().get(), 0x5A, count * sizeof(T));
    return reinterpret_cast<T*>(scratch_.back().get());
  }
  unsigned* ticket() { return &ticket_; }
  unsigned waves(unsigned block) const { return (block + LADDER_WAVE - 1) / LADDER_WAVE; }

  struct Device {
    int multiProcessorCount = 3;
  };
  const Device& device() const { return device_; }

 private:
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  unsigned ticket_ = 0;
  Device device_;
};

}  // namespace ladder::hip
