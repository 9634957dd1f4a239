#pragma once

// What a shape means for so many elements.

#include <cstdint>
#include <vector>

#include "bench/cli/group_shape.hpp"

namespace ladder::bench {

/// A problem's groups; where they are segments, with their offsets on the host.
struct MadeGroups {
  std::size_t n = 0;  ///< elements that are reduced
  Groups groups;      ///< without offsets
  std::vector<std::int64_t> offsets;
};

/// Of `n` elements, or as many as the shape itself says: whole rows of a matrix; segments, the last
/// of which ends with the last element. Lengths are drawn by `seed`. Throws `UsageError` where a
/// file holds no offsets from 0 on that never descend.
MadeGroups groups_of(const GroupShape& shape, std::size_t n, std::uint64_t seed);

}  // namespace ladder::bench
