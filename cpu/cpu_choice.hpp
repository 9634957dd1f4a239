#pragma once

// Launch configuration of c13 by size: from a tuned file (./study tune --backend=cpu), else from
// measurements on the machines of docs/cpu.md.

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
  // Bytes: minimum share per thread; maximum share read in four pieces.
  constexpr std::size_t least_share = 128 << 10, in_four = 128 << 10;
  const std::size_t worth = std::max<std::size_t>(1, bytes / least_share);
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(most, worth));
  const std::size_t each = bytes / workers;
  if (each <= in_one_piece) return {workers, 1, 0};
  if (each <= in_four) return {workers, 4, 0};
  return {workers, 2, 2048};
}

}  // namespace ladder::cpu
