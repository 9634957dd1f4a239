#pragma once

// The place of the element that decides a min, max, and or or.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/data.hpp"

namespace ladder {

enum class Place : std::uint8_t { first, last, tail, edge, random };

inline constexpr std::array<std::string_view, 5> place_names{"first", "last", "tail", "edge",
                                                             "random"};

constexpr std::string_view name(Place place) {
  return place_names[static_cast<std::size_t>(place)];
}

/// The index in [0, n), n > 0: of the first or last element, the first past the last whole group of
/// four (what a vector load leaves over), the last of a block about the middle, or one drawn from
/// the seed.
constexpr std::size_t index_of(Place place, std::size_t n, unsigned block, std::uint64_t seed) {
  switch (place) {
    case Place::first:
      return 0;
    case Place::last:
      return n - 1;
    case Place::tail:
      return n % 4 == 0 ? n - 1 : n - n % 4;
    case Place::edge: {
      const std::size_t width = block == 0 ? 256 : block;
      return std::min(n - 1, std::max<std::size_t>(1, n / width / 2) * width - 1);
    }
    case Place::random:
      break;
  }
  return static_cast<std::size_t>(random_word(seed ^ 0x706C616365u, n) % n);
}

}  // namespace ladder
