#pragma once

// Read-only sweeps: measure this machine's maximum read bandwidth in several ways. One of them
// evicts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/host/thread_team.hpp"

namespace ladder::host {

/// A way to read a worker's share of the sweep.
struct Reading {
  unsigned width;    ///< bytes of a vector
  unsigned streams;  ///< concurrent streams per worker: a hardware prefetcher stops at the end of a
                     ///< page, while the others continue
  unsigned loads;    ///< consecutive vectors per stream, each folded into its own chain
  unsigned ahead;    ///< prefetch distance of a load in bytes; 0: no prefetch
  /// Returns the wrapping sum of the 8-byte words at `data`; `bytes` is a multiple of 8.
  std::uint64_t (*read)(const std::byte* data, std::size_t bytes);

  std::string text() const;
};

/// Readings with the widest vectors that `vector_target` allows, and with the fixed widths of
/// sweep.cpp.
std::vector<Reading> readings();
/// A few of them that differ most.
std::vector<Reading> few_readings();
/// Readings with the widest vectors (sweep_vectors.cpp).
std::vector<Reading> readings_in_vectors();

/// Reads all `bytes` (a multiple of 8), shared among `workers` threads of the team. Returns the
/// folded data, so that no load can be removed.
std::uint64_t sweep(Team& team, unsigned workers, const Reading& reading, const std::byte* data,
                    std::size_t bytes);

/// The same with dynamic scheduling: each worker reads the pieces of `turn_bytes` of its own share,
/// then the remaining ones of the others, so that none waits for the slowest.
std::uint64_t sweep_in_turns(Team& team, unsigned workers, const Reading& reading,
                             const std::byte* data, std::size_t bytes);
constexpr std::size_t turn_bytes = std::size_t{256} << 10;

}  // namespace ladder::host
