#pragma once

// Queue of the CPU rungs: preallocated scratch. The host owns the workers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/device/host/host_device.hpp"

namespace ladder::cpu {

/// Bytes between partials that must not share a cache line: two lines, because x86 fetches pairs.
inline constexpr std::size_t line_bytes = 128;

/// Slots per worker for results of subtrees or work items; enough for even shares.
inline constexpr std::size_t subtrees_per_worker = 512;

/// Slots per worker for partials of columns, or for indices of segments.
inline constexpr std::size_t columns_per_worker = 32768;

/// A value with its own cache lines.
template <class T>
struct alignas(line_bytes) Padded {
  T value;
};

class Queue {
 public:
  explicit Queue(std::shared_ptr<host::Host> host)
      : host_(std::move(host)),
        scratch_(host_->pinning().max_workers()),
        subtrees_(scratch_.size() * subtrees_per_worker),
        columns_(scratch_.size() * columns_per_worker) {}

  /// One slot per worker, each in its own cache lines.
  template <class T>
  Padded<T>* partials() {
    static_assert(sizeof(Padded<T>) == line_bytes);
    return reinterpret_cast<Padded<T>*>(scratch_.data());
  }
  /// One slot per worker, contiguous from the start of a cache line.
  template <class T>
  T* packed() {
    return reinterpret_cast<T*>(scratch_.data());
  }
  /// `subtrees_per_worker` contiguous slots per worker.
  template <class T>
  T* subtrees() {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    return reinterpret_cast<T*>(subtrees_.data());
  }

  /// `columns_per_worker` contiguous slots per worker.
  template <class T>
  T* columns() {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    return reinterpret_cast<T*>(columns_.data());
  }

  host::Host& host() const { return *host_; }

  // Interface for the backend; the results of groups are in host memory.

  host::Host& device() const { return *host_; }
  void begin(std::size_t) {}
  std::byte* group_results() { return group_results_.data(); }
  std::byte* host_group_results() { return group_results_.data(); }
  void reserve_group_results(std::size_t bytes) {
    if (bytes > group_results_.size()) group_results_.resize(bytes);
  }
  void fetch_group_results(std::size_t) {}

  host::Pinning& pinning() const { return host_->pinning(); }

 private:
  struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
  };
  std::shared_ptr<host::Host> host_;
  std::vector<Line> scratch_;
  std::vector<std::uint64_t> subtrees_, columns_;
  std::vector<std::byte> group_results_;
};

}  // namespace ladder::cpu
