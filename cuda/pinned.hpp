#pragma once

// Host memory that the device reads and writes in place.

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder::cuda {

/// One page-locked block, visible to both sides at the same address. Each part has cache lines of
/// its own.
struct Pinned {
  /// Where a fetched result lands; a blocking rung writes it itself.
  alignas(128) std::array<std::byte, 16> result;
  /// Every operation's identity in every accumulator type: the result of reducing nothing.
  alignas(128) std::array<std::array<std::uint64_t, operations.size()>, types.size()> identity;
};

}  // namespace ladder::cuda
