#pragma once

// Layout of n values over blocks, with its memory traffic and depth of rounding: the same on every
// backend whose ladder has blocks.

#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "common/accounting.hpp"
#include "common/device/device.hpp"
#include "common/problem.hpp"

namespace ladder {

inline constexpr unsigned smallest_block = 32, largest_block = 1024;
/// Limit for coarsened rungs, so that the elements of a block fit 32 bits many times over.
inline constexpr unsigned most_items = 1U << 16;

/// Calls `f.template operator()<block>()`, for kernels with the block as a template argument.
/// Accepts one of `known`, or by default any supported block. Throws `NotPossible` for any other.
template <unsigned... known, class F>
void with_block(unsigned block, F&& f) {
  if constexpr (sizeof...(known) == 0) {
    with_block<32, 64, 128, 256, 512, 1024>(block, f);
  } else if (((block == known && (f.template operator()<known>(), true)) || ...)) {
  } else {
    throw NotPossible("no kernel for a block of " + std::to_string(block));
  }
}

/// Layout of a pass over the values that it reduces.
struct Layout {
  unsigned block;
  unsigned items = 1;      ///< values per thread and step
  unsigned grid = 0;       ///< maximum number of blocks; 0: as many as the values need
  std::size_t shared = 0;  ///< dynamic shared memory of a block, in bytes
  bool serial = false;     ///< one thread combines the block's values in turn, without a tree

  std::size_t blocks(std::size_t n) const {
    return blocks_for(n, std::size_t{block} * items, grid == 0 ? ~std::size_t{0} : grid);
  }

  /// Pass that reads n values of type T and writes `results` accumulators of type A per block: a
  /// serial chain in each thread, then as many levels of a tree as that takes.
  template <class T, class A>
  Pass pass(std::size_t n, unsigned results = 1) const {
    const std::size_t steps = ceil_div(n, blocks(n) * block * items);
    const std::size_t combined = block / results;
    return {.read_bytes = n * sizeof(T),
            .written_bytes = blocks(n) * results * sizeof(A),
            .depth = steps * items +
                     (serial ? combined : static_cast<std::size_t>(std::bit_width(combined)) - 1)};
  }

  /// Pass of a launch in which each block combines its `updates` results into the one result by
  /// atomic updates.
  template <class T, class A>
  Pass atomic_pass(std::size_t n, unsigned updates = 1) const {
    Pass all = pass<T, A>(n, updates);
    all.written_bytes = sizeof(A);
    all.depth += blocks(n) * updates;  // all updates of the one address are one chain
    return all;
  }
};

/// Runs passes until one value is left: `first(x, n, partial)` enqueues the pass over the elements,
/// `later` those over partials. Two buffers alternate: in place, a block could overwrite a partial
/// before another block has read it.
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
