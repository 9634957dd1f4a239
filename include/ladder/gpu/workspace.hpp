#pragma once

// What a call needs beside its input: memory that the calls on one stream share, and a place of the
// host's where a result can be looked for.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/gpu_model.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

/// Device memory that the calls on one stream share, and what the launches have to know of the
/// device. To be made by `make_workspace`.
struct Workspace {
  std::uint64_t* words = nullptr;  ///< the first has the number of the next call: never 0
  std::uint32_t count = 0;         ///< of words behind that one
  Gpu device;                      ///< that it is of
};

#pragma GCC visibility push(hidden)
/// Bytes of device memory with which a workspace has a word for each block that up to `most`
/// elements are given, of any type that is read in vectors and an accumulator of up to eight bytes,
/// on any device of up to 256 SMs: half a MiB up to 2^27 elements, then four bytes for each 1024.
/// Larger inputs are reduced by fewer blocks, each of which does more; so it is with less memory,
/// down to 16 KiB.
constexpr std::size_t workspace_bytes(std::size_t most = std::size_t{1} << 28) {
  constexpr std::size_t least = std::size_t{1} << 19, word = sizeof(std::uint64_t);
  const std::size_t words = most / (256 * word);
  return (words * word < least ? least : words * word) + word;
}

/// Makes a workspace on the current device of `bytes` bytes at `memory`, which is aligned to eight
/// bytes and stays the caller's; on `stream`, whatever is in it. It serves one stream at a time.
/// The run-time library's error of an invalid value for less than 16 KiB, or where one is null.
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
                       static_cast<unsigned>(2e-6 * clock * width / 8),  // kHz, bits, twice
                       overlaps};
  return success;
}
#pragma GCC visibility pop

/// Where the host finds a result without waiting for the stream: `bytes` bytes of the host's memory
/// that the device can write (cudaHostAlloc with cudaHostAllocMapped, hipHostMalloc), aligned to
/// eight. The caller's, and of one call at a time.
template <class A>
struct OnHost {
  static constexpr std::size_t bytes = (sizeof(A) + 3) / 4 * sizeof(std::uint64_t);
  std::uint64_t* words = nullptr;

  bool is_null() const { return words == nullptr; }
  /// To be called before each `reduce`: forgets the last result.
  void clear() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      std::atomic_ref(words[p]).store(0, std::memory_order_relaxed);
  }
  /// Whether the result is there.
  bool ready() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      if (std::atomic_ref(words[p]).load(std::memory_order_relaxed) >> 32 == 0) return false;
    return true;
  }
  /// The result, as soon as it is there; for ever, if the launch has failed.
  A wait() const {
    while (!ready()) {
    }
    std::uint32_t pieces[bytes / sizeof *words];
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      pieces[p] =
          static_cast<std::uint32_t>(std::atomic_ref(words[p]).load(std::memory_order_relaxed));
    union {  // A need not have a default constructor
      A value;
      std::byte bytes_of[sizeof(A)];
    } result{.bytes_of = {}};
    std::memcpy(result.bytes_of, pieces, sizeof(A));
    return result.value;
  }
};

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
