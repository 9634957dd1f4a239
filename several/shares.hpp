#pragma once

// Partition of elements among devices or ranks.

#include <algorithm>
#include <cstddef>

namespace ladder::several {

struct Share {
  std::size_t first = 0, count = 0;
};

/// Shares begin at multiples of this many elements, so each is as aligned as the whole input.
inline constexpr std::size_t cut = 64;

/// Share `index` of `of`: contiguous, in order, and even except for one cut. Empty if there are
/// fewer cuts than shares.
constexpr Share share_of(std::size_t n, unsigned index, unsigned of) {
  const std::size_t cuts = (n + cut - 1) / cut;
  const auto begin = [&](std::size_t i) {
    const std::size_t rest = cuts % of;
    return std::min(n, (cuts / of * i + std::min(i, rest)) * cut);
  };
  return {begin(index), begin(std::size_t{index} + 1) - begin(index)};
}

}  // namespace ladder::several
