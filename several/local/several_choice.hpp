#pragma once

// Choice of m04, from measurements on two H100s (docs/several.md).

#include <cstddef>

#include "several/shares.hpp"

namespace ladder::several {

/// Bytes of a share from which m04 uses m00. m02's kernel writes its result into host memory, which
/// saves a copy and its wait, and with several shares a launch. But m00 reduces its shares by r30,
/// which is 2 to 3 % faster at these sizes.
inline constexpr std::size_t too_large_for_peer_writes = std::size_t{1} << 30;

/// True if m04 tries m02's kernel for `n` elements of `bytes` bytes; else it uses m00.
constexpr bool by_peer_writes(std::size_t n, std::size_t bytes, unsigned shares) {
  return share_of(n, 0, shares).count * bytes < too_large_for_peer_writes;
}

}  // namespace ladder::several
