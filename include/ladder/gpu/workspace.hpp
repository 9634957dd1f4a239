#pragma once

// Workspace of the reduction: device memory shared by the calls on one stream, and a result in host
// memory that can be polled.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/gpu_model.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

/// Device memory shared by the calls on one stream, and the device's properties. Initialize with
/// `make_workspace`.
struct Workspace {
  std::uint64_t* words = nullptr;  ///< words[0]: number of the next call, never 0
  std::uint32_t count = 0;         ///< words after the first
  Gpu device;
};

#pragma GCC visibility push(hidden)
/// Workspace size in bytes that gives every block a word: up to `most` elements of any vectorizable
/// type, 8-byte accumulators and 256 SMs. It is 512 KiB up to 2^27 elements, then 4 bytes per 1024
/// elements. Larger inputs, or a smaller workspace of at least 16 KiB, use fewer blocks.
constexpr std::size_t workspace_bytes(std::size_t most = std::size_t{1} << 28) {
  constexpr std::size_t least = std::size_t{1} << 19, word = sizeof(std::uint64_t);
  const std::size_t words = most / (256 * word);
  return (words * word < least ? least : words * word) + word;
}

/// Initializes `workspace` on the current device, enqueued on `stream`. `memory`: `bytes` bytes,
/// aligned to 8, owned by the caller; its contents do not matter. A workspace serves one stream at
/// a time. Returns the run-time library's invalid-value error if `bytes` < 16 KiB, a pointer is
/// null or `memory` is misaligned.
inline reduce_detail::Error make_workspace(Workspace* workspace, void* memory, std::size_t bytes,
                                           reduce_detail::Stream stream) {
  using namespace reduce_detail;
  if (workspace == nullptr || memory == nullptr || bytes < std::size_t{16} << 10 ||
      reinterpret_cast<std::uintptr_t>(memory) % sizeof(std::uint64_t) != 0) {
    return invalid_value;
  }
  int device = 0, units = 0, cache = 0, clock = 0, width = 0;
  bool overlaps = false;
  Error code = find_device(&device);
  if (code == success) code = find_attribute(&units, number_of_sms, device);
  if (code == success) code = find_attribute(&cache, cache_bytes, device);
  if (code == success) code = find_attribute(&clock, memory_clock, device);
  if (code == success) code = find_attribute(&width, bus_width, device);
  if (code == success) code = find_overlap(&overlaps, device);
  if (code == success) code = enqueue_set(memory, 0, bytes, stream);
  if (code == success) code = enqueue_set(memory, 1, sizeof(std::uint64_t), stream);
  if (code != success) return code;
  const std::size_t words = bytes / sizeof(std::uint64_t) - 1;
  workspace->words = static_cast<std::uint64_t*>(memory);
  workspace->count = static_cast<std::uint32_t>(words < 1U << 31 ? words : 1U << 31);
  workspace->device = {static_cast<unsigned>(units), static_cast<std::size_t>(cache),
                       static_cast<unsigned>(2e-6 * clock * width / 8),  // kHz, bits, DDR
                       overlaps};
  return success;
}
#pragma GCC visibility pop

/// A result that the host can poll without synchronizing the stream. `words`: `bytes` bytes of
/// mapped host memory (cudaHostAlloc with cudaHostAllocMapped, hipHostMalloc), aligned to 8, owned
/// by the caller. It serves one call at a time.
template <class A>
struct OnHost {
  static constexpr std::size_t bytes = (sizeof(A) + 3) / 4 * sizeof(std::uint64_t);
  std::uint64_t* words = nullptr;

  bool is_null() const { return words == nullptr; }
  /// Discards the last result; call it before each `reduce`.
  void clear() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      std::atomic_ref(words[p]).store(0, std::memory_order_relaxed);
  }
  /// True if the result has arrived.
  bool ready() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      if (std::atomic_ref(words[p]).load(std::memory_order_relaxed) >> 32 == 0) return false;
    return true;
  }
  /// Spins until the result has arrived, and returns it; spins forever if the launch failed.
  A wait() const {
    while (!ready()) {
    }
    std::uint32_t pieces[bytes / sizeof *words];
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      pieces[p] =
          static_cast<std::uint32_t>(std::atomic_ref(words[p]).load(std::memory_order_relaxed));
    union {  // A may lack a default constructor
      A value;
      std::byte bytes_of[sizeof(A)];
    } result{.bytes_of = {}};
    std::memcpy(result.bytes_of, pieces, sizeof(A));
    return result.value;
  }
};

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
