#pragma once

// Launch configuration by size: of c13 from a tuned file (./study tune --backend=cpu), else from
// measurements on the machines of docs/cpu.md; of batched rungs from these alone.

#include <algorithm>
#include <cstddef>

#include "common/device/tuned.hpp"

namespace ladder::cpu {

struct HostChoice {
  unsigned workers, pieces;
  std::size_t prefetch;
};

/// Bytes that fit any L1 cache along with other data.
inline constexpr std::size_t in_one_piece = 32 << 10;

/// Bytes that one thread reads before sleeping threads wake, in about 50 us.
inline constexpr std::size_t before_they_wake = 2 << 20;

/// Minimum bytes per thread, and of a work item that threads take in turns.
inline constexpr std::size_t least_share = 128 << 10, turn_bytes = 256 << 10;

/// Threads for an input. `most`: requested ones, at least 1.
inline unsigned workers_for(std::size_t bytes, unsigned most) {
  return static_cast<unsigned>(std::clamp<std::size_t>(bytes / least_share, 1, most));
}

/// True if one thread reads the input in one piece, for any request. Separate, because the smallest
/// inputs take less time than `choice`.
inline bool at_once(const Tuned& tuned, Type type, Operation operation, std::size_t bytes) {
  return bytes <= in_one_piece && tuned.host_lines(type, operation).empty();
}

/// `most`: requested workers, at least 1.
inline HostChoice choice(const Tuned& tuned, Type type, Operation operation, std::size_t bytes,
                         unsigned most) {
  if (const auto* line = tuned.find_host(type, operation, bytes); line != nullptr) {
    return {std::min(line->workers, most), line->pieces, line->prefetch};
  }
  constexpr std::size_t in_four = 128 << 10;  // maximum bytes of a share read in four pieces
  const unsigned workers = workers_for(bytes, most);
  const std::size_t each = bytes / workers;
  if (each <= in_one_piece) return {workers, 1, 0};
  if (each <= in_four) return {workers, 4, 0};
  return {workers, 2, 2048};
}

/// Work items of a batch, of about equal size. Workers take them in turns, because threads differ
/// in speed: `turn_bytes` each if the shares are large, else one for each worker.
struct WorkItems {
  unsigned workers;
  std::size_t count;

  /// `most`: requested workers, at least 1.
  WorkItems(std::size_t bytes, unsigned most, std::size_t most_per_worker)
      : workers(workers_for(bytes, most)),
        count(workers * std::clamp<std::size_t>(bytes / workers / turn_bytes, 1, most_per_worker)) {
  }
};

}  // namespace ladder::cpu
