#pragma once

// How c13 reads so many bytes: as a file of choices has it (./study tune --backend=cpu), else by
// what was found on the machines of docs/cpu.md.

#include <algorithm>
#include <cstddef>

#include "common/device/tuned.hpp"

namespace ladder::cpu {

struct HostChoice {
  unsigned workers, pieces;
  std::size_t prefetch;
};

/// Bytes that are in the first cache everywhere, with room for what else is there.
inline constexpr std::size_t in_one_piece = 32 << 10;

/// Bytes that one thread has read before those that sleep have come, some 50 us later.
inline constexpr std::size_t before_they_wake = 2 << 20;

/// One thread, one piece, whatever was asked for. By itself, since the smallest are done in less
/// time than it takes to choose.
inline bool at_once(const Tuned& tuned, Type type, Operation operation, std::size_t bytes) {
  return bytes <= in_one_piece && tuned.host_lines(type, operation).empty();
}

/// `most` workers are what was asked for: 1 or more.
inline HostChoice choice(const Tuned& tuned, Type type, Operation operation, std::size_t bytes,
                         unsigned most) {
  if (const auto* line = tuned.find_host(type, operation, bytes); line != nullptr) {
    return {std::min(line->workers, most), line->pieces, line->prefetch};
  }
  // Bytes: a thread's least share, up to which shares it reads in four pieces.
  constexpr std::size_t least_share = 128 << 10, in_four = 128 << 10;
  const std::size_t worth = std::max<std::size_t>(1, bytes / least_share);
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(most, worth));
  const std::size_t each = bytes / workers;
  if (each <= in_one_piece) return {workers, 1, 0};
  if (each <= in_four) return {workers, 4, 0};
  return {workers, 2, 2048};
}

}  // namespace ladder::cpu
