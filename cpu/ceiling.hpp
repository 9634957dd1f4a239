#pragma once

// Read-only sweeps: how fast this machine's memory can be read at all, by several ways of reading.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cpu/queue.hpp"

namespace ladder::cpu {

/// A way of reading: a worker's share of the sweep.
struct Reading {
  unsigned width;    ///< bytes of a vector
  unsigned streams;  ///< places from which a worker reads side by side: the hardware's prefetchers
                     ///< end with a page, and others go on meanwhile
  unsigned loads;    ///< vectors in a row from each, every one folded into a chain of its own
  unsigned ahead;    ///< bytes from a load to its software prefetch; 0 for none
  /// The exclusive or of the 8-byte words from `data` on; `bytes` is a multiple of 8.
  std::uint64_t (*read)(const std::byte* data, std::size_t bytes);
};

std::span<const Reading> readings();

std::string in_words(const Reading& reading);

/// Reads all `bytes` (a multiple of 8), shared among the workers that are armed. Returns what was
/// read, folded, so that no load can be left out.
std::uint64_t sweep(Queue& queue, const Reading& reading, const std::byte* data, std::size_t bytes);

}  // namespace ladder::cpu
