#pragma once

// What a CPU rung stands on: workers that stay where they are, and scratch that is there before the
// clock starts.

#include <cstddef>
#include <utility>
#include <vector>

#include "common/machine/pinning.hpp"

namespace ladder::cpu {

/// Bytes between partials that must not share a cache line. Two lines: x86 fetches them in pairs.
inline constexpr std::size_t line_bytes = 128;

/// A value that has its cache lines to itself.
template <class T>
struct alignas(line_bytes) Padded {
  T value;
};

class Queue : public machine::Pinning {
 public:
  Queue(machine::Places places, unsigned default_workers)
      : Pinning(std::move(places), default_workers), scratch_(max_workers()) {}

  /// One slot a worker, each in cache lines of its own.
  template <class T>
  Padded<T>* partials() {
    static_assert(sizeof(Padded<T>) == line_bytes);
    return reinterpret_cast<Padded<T>*>(scratch_.data());
  }
  /// One slot a worker, side by side from the beginning of a cache line on.
  template <class T>
  T* packed() {
    return reinterpret_cast<T*>(scratch_.data());
  }

 private:
  struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
  };
  std::vector<Line> scratch_;
};

}  // namespace ladder::cpu
