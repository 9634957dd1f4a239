#pragma once

// How a rung covers n values by blocks, and what that means for memory and for rounding: the same
// on every backend whose ladder has blocks.

#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "common/accounting.hpp"
#include "common/device/device.hpp"
#include "common/problem.hpp"

namespace ladder {

inline constexpr unsigned smallest_block = 32, largest_block = 1024;
/// Of a coarsened rung, so that what a block takes fits 32 bits many times over.
inline constexpr unsigned most_items = 1U << 16;

/// Calls `f.template operator()<block>()`, for kernels that have their block as a template
/// argument: with one of `known`, or of all blocks that there are. Throws `NotPossible` for any
/// other.
template <unsigned... known, class F>
void with_block(unsigned block, F&& f) {
  if constexpr (sizeof...(known) == 0) {
    with_block<32, 64, 128, 256, 512, 1024>(block, f);
  } else if (((block == known && (f.template operator()<known>(), true)) || ...)) {
  } else {
    throw NotPossible("no kernel for a block of " + std::to_string(block));
  }
}

/// How a pass is laid out over the values that it reduces.
struct Layout {
  unsigned block;
  unsigned items = 1;      ///< values that a thread takes in one step
  unsigned grid = 0;       ///< the most blocks; 0: as many as the values need
  std::size_t shared = 0;  ///< memory that a block's threads share, beside what is static, in bytes
  bool serial = false;     ///< one thread combines the block's values in turn, without a tree

  std::size_t blocks(std::size_t n) const {
    return blocks_for(n, std::size_t{block} * items, grid == 0 ? ~std::size_t{0} : grid);
  }

  /// Reading n values of type T and leaving `results` accumulators of type A of each block: one
  /// value after another in a thread, then as many levels of a tree as that takes.
  template <class T, class A>
  Pass pass(std::size_t n, unsigned results = 1) const {
    const std::size_t steps = ceil_div(n, blocks(n) * block * items);
    const std::size_t combined = block / results;
    return {.read_bytes = n * sizeof(T),
            .written_bytes = blocks(n) * results * sizeof(A),
            .depth = steps * items +
                     (serial ? combined : static_cast<std::size_t>(std::bit_width(combined)) - 1)};
  }

  /// That of a launch in which each block hands its `updates` results over by atomic updates of the
  /// one result.
  template <class T, class A>
  Pass atomic_pass(std::size_t n, unsigned updates = 1) const {
    Pass all = pass<T, A>(n, updates);
    all.written_bytes = sizeof(A);
    all.depth += blocks(n) * updates;  // all updates of the one address are one chain
    return all;
  }
};

/// Pass after pass until one value is left: `first(x, n, partial)` enqueues the pass over the
/// elements, `later` those over partials. Two buffers take turns: a block of a later pass may write
/// its partial before another has read what lies there, so never in place.
template <class Case, class Queue, class First, class Later>
void until_one_is_left(Queue& queue, const View<Case>& problem, const Layout& layout,
                       const First& first, const Later& later) {
  using A = typename Case::accumulator;
  std::size_t left = layout.blocks(problem.n);
  if (left == 1) return first(problem.input, problem.n, problem.result);

  A* from = queue.template scratch<A>(left);
  A* to = queue.template scratch<A>(layout.blocks(left));
  first(problem.input, problem.n, from);
  for (; layout.blocks(left) > 1; left = layout.blocks(left)) {
    later(from, left, to);
    std::swap(from, to);
  }
  later(from, left, problem.result);
}

}  // namespace ladder
