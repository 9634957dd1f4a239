#pragma once

// What m04 does. Nothing past one device is measured yet: this follows from the predictions of
// docs/several.md, and is to be replaced by what is found.

#include <cstddef>

#include "several/shares.hpp"

namespace ladder::several {

/// Bytes of a share, from which on m00 is chosen. m02 saves a launch and a fetch, about 11 us; but
/// m00's shares are reduced by r30, of which m02's kernel, r20, has lost that much behind so many.
inline constexpr std::size_t too_large_for_peer_writes = std::size_t{2} << 30;

/// Whether m02 is to be tried for `n` elements of so many bytes each; else m00 is taken.
constexpr bool by_peer_writes(std::size_t n, std::size_t bytes, unsigned shares) {
  return shares > 1 && share_of(n, 0, shares).count * bytes < too_large_for_peer_writes;
}

}  // namespace ladder::several
