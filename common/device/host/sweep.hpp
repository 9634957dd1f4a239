#pragma once

// Read-only sweeps: how fast this machine's memory can be read at all, by several ways of reading.
// One of them evicts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/host/thread_team.hpp"

namespace ladder::host {

/// A way of reading: a worker's share of the sweep.
struct Reading {
  unsigned width;    ///< bytes of a vector
  unsigned streams;  ///< places from which a worker reads side by side: the hardware's prefetchers
                     ///< end with a page, and others go on meanwhile
  unsigned loads;    ///< vectors in a row from each, every one folded into a chain of its own
  unsigned ahead;    ///< bytes from a load to its software prefetch; 0 for none
  /// The sum of the 8-byte words, which wraps, from `data` on; `bytes` is a multiple of 8.
  std::uint64_t (*read)(const std::byte* data, std::size_t bytes);

  std::string text() const;
};

/// With the processor's widest vectors that `vector_target` allows, and with those that this source
/// was compiled for.
std::vector<Reading> readings();
/// Some of them that differ much.
std::vector<Reading> few_readings();
/// Those of the widest vectors (sweep_vectors.cpp).
std::vector<Reading> readings_in_vectors();

/// Reads all `bytes` (a multiple of 8), shared among `workers` threads of the team. Returns what
/// was read, folded, so that no load can be left out.
std::uint64_t sweep(Team& team, unsigned workers, const Reading& reading, const std::byte* data,
                    std::size_t bytes);

/// The same in pieces of `turn_bytes`: each worker reads those of its share in turn, then what is
/// left of the others', so that none waits for the slowest.
std::uint64_t sweep_in_turns(Team& team, unsigned workers, const Reading& reading,
                             const std::byte* data, std::size_t bytes);
constexpr std::size_t turn_bytes = std::size_t{256} << 10;

}  // namespace ladder::host
