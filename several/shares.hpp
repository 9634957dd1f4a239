#pragma once

// How elements are dealt out among devices or ranks.

#include <algorithm>
#include <cstddef>

namespace ladder::several {

struct Share {
  std::size_t first = 0, count = 0;
};

/// Elements to whose multiples shares are cut, so that each begins as aligned as the whole input.
inline constexpr std::size_t cut = 64;

/// The share of number `index` of `of`: side by side, in order, and even but for one cut. Empty
/// where there are fewer cuts than shares.
constexpr Share share_of(std::size_t n, unsigned index, unsigned of) {
  const std::size_t cuts = (n + cut - 1) / cut;
  const auto begin = [&](std::size_t i) {
    const std::size_t rest = cuts % of;
    return std::min(n, (cuts / of * i + std::min(i, rest)) * cut);
  };
  return {begin(index), begin(std::size_t{index} + 1) - begin(index)};
}

}  // namespace ladder::several
