#pragma once

// What a tuning becomes on a backend whose rungs have blocks: zeros filled in, and no more blocks
// than the problem needs.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "common/accounting.hpp"
#include "common/model/backend.hpp"
#include "common/model/layout.hpp"
#include "common/model/roster.hpp"

namespace ladder {

/// The tuning with the rung's defaults for what is zero, but for the grid, and zero where the rung
/// has no such axis.
inline Tuning filled_in(const Rung& rung, const Tuning& defaults, const Tuning& tuning) {
  const auto choose = [&](Axes axis, unsigned asked, unsigned otherwise) {
    return (rung.axes & axis) == 0 ? 0 : asked != 0 ? asked : otherwise;
  };
  return {.block = choose(block_axis, tuning.block, defaults.block),
          .grid = choose(grid_axis, tuning.grid, 0),
          .items = choose(items_axis, tuning.items, defaults.items)};
}

/// Throws `NotPossible` where the block or the items of a filled-in tuning cannot be had.
inline void check_tuning(const Rung& rung, const Tuning& tuning) {
  if ((rung.axes & block_axis) != 0 &&
      (!std::has_single_bit(tuning.block) || tuning.block < smallest_block ||
       tuning.block > largest_block)) {
    throw NotPossible("a block of " + std::to_string(tuning.block) +
                      " threads: it has to be a power of two from " +
                      std::to_string(smallest_block) + " to " + std::to_string(largest_block));
  }
  if ((rung.axes & items_axis) != 0 && tuning.items > most_items) {
    throw NotPossible(std::to_string(tuning.items) + " elements per thread: at most " +
                      std::to_string(most_items));
  }
}

/// The tuning with the default grid where it has none: on each of the device's `units` as many
/// threads as the rung's defaults have, whatever the block, but no more blocks than are resident
/// there at once: the others would come in a second, shorter wave. `trace(tuning)` is what the rung
/// would do. Throws as `check_tuning`.
template <class Trace>
Tuning with_grid(const Rung& rung, const Tuning& defaults, std::size_t n, unsigned units,
                 Tuning tuning, const Trace& trace) {
  check_tuning(rung, tuning);
  if ((rung.axes & grid_axis) == 0 || tuning.grid != 0) return tuning;
  tuning.grid = 1;
  if (n == 0) return tuning;
  const Footprint footprint = trace(tuning);
  unsigned blocks = std::max(defaults.grid * defaults.block / tuning.block, 1U);
  const int resident = footprint.main()->kernel.blocks_per_unit;
  if (resident > 0) blocks = std::min(blocks, static_cast<unsigned>(resident));
  tuning.grid = blocks * units;
  const unsigned together = footprint.main()->kernel.resident;
  if (together > 0) tuning.grid = std::min(tuning.grid, together);
  return tuning;
}

/// A grid that is larger than the problem needs is launched smaller: the launch itself says how
/// large.
inline Tuning as_launched(Tuning tuning, std::size_t n, const Footprint& footprint) {
  if (tuning.grid == 0) return tuning;
  tuning.grid = n == 0 ? 1 : footprint.main()->grid;
  return tuning;
}

}  // namespace ladder
