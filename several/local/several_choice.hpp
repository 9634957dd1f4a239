#pragma once

// What m04 does, by what was measured on two H100s (docs/several.md).

#include <cstddef>

#include "several/shares.hpp"

namespace ladder::several {

/// Bytes of a share, from which on m00 is chosen. m02's kernel, which writes its result into the
/// host's memory, saves a copy and the waiting for it, and with several shares a launch; but m00's
/// shares are reduced by r30, which is 2 to 3 % faster there.
inline constexpr std::size_t too_large_for_peer_writes = std::size_t{1} << 30;

/// Whether m02's kernel is to be tried for `n` elements of so many bytes each; else m00 is taken.
constexpr bool by_peer_writes(std::size_t n, std::size_t bytes, unsigned shares) {
  return share_of(n, 0, shares).count * bytes < too_large_for_peer_writes;
}

}  // namespace ladder::several
