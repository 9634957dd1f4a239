#pragma once

// Read-only sweeps: how fast this machine's memory can be read at all, by several ways of reading.
// One of them evicts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ladder::host {

/// A way of reading: a worker's share of the sweep.
struct Reading {
  unsigned width;    ///< bytes of a vector
  unsigned streams;  ///< places from which a worker reads side by side: the hardware's prefetchers
                     ///< end with a page, and others go on meanwhile
  unsigned loads;    ///< vectors in a row from each, every one folded into a chain of its own
  unsigned ahead;    ///< bytes from a load to its software prefetch; 0 for none
  /// The exclusive or of the 8-byte words from `data` on; `bytes` is a multiple of 8.
  std::uint64_t (*read)(const std::byte* data, std::size_t bytes);

  std::string text() const;
};

std::span<const Reading> readings();
/// Three of them that differ much.
std::span<const Reading> few_readings();

/// Reads all `bytes` (a multiple of 8), shared among `workers` threads that are armed
/// (pinning.hpp). Returns what was read, folded, so that no load can be left out.
std::uint64_t sweep(unsigned workers, const Reading& reading, const std::byte* data,
                    std::size_t bytes);

}  // namespace ladder::host
