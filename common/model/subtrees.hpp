#pragma once

// The fixed tree (common/fixed_tree.hpp) for blocks of threads that load 16 bytes at once.
//
// A row of a chunk is one load by each thread of a *crew*: 32 threads, or 16 if an element has half
// the bytes of its accumulator. Each thread has the same lanes in all rows, so a chunk takes 16
// loads per thread, and the tree over the lanes crosses threads. Any 2^k chunks from a multiple of
// 2^k on form a subtree. The crews of a block take one chunk each, in one turn or a power of two of
// turns, so the block reduces to one value.

#include <cstddef>

#include "common/accounting.hpp"
#include "common/fixed_tree.hpp"
#include "common/model/layout.hpp"

namespace ladder {

/// Threads that reduce a chunk of elements of type T with accumulators of type A.
template <class T, class A>
struct Crew {
  static constexpr FixedTree tree = fixed_tree<A>;
  static constexpr unsigned chunk = tree.chunk();    ///< elements
  static constexpr unsigned rows = tree.rows;        ///< loads per thread
  static constexpr unsigned lanes = 16 / sizeof(T);  ///< per thread, adjacent in one load
  static constexpr unsigned threads = tree.lanes / lanes;
  static_assert(threads <= smallest_block, "a block has whole crews");

  /// Resident blocks of `block` threads to request, which limits registers per thread. With fewer
  /// threads, the registers hold all loads of a chunk before the first is used. Elements of two
  /// bytes are converted on arrival, and the compiler issues few loads at a time whatever the
  /// registers: more threads are better there.
  static constexpr unsigned resident(unsigned block) {
    const unsigned blocks = (sizeof(T) == 2 ? 1024 : 512) / block;
    return blocks < 1 ? 1 : blocks < 16 ? blocks : 16;
  }
};

/// The subtrees that blocks reduce one after the other.
struct Subtrees {
  /// Maximum turns: a block must not have more values to join than threads.
  static constexpr unsigned most_turns = 32;
  /// Above this number of subtrees, each takes more turns: few partials are left to join, and still
  /// enough subtrees for all blocks that a GPU runs at once.
  static constexpr std::size_t enough = 8192;
  /// Partials that a thread of the last block loads at once; must not exceed `most_turns`.
  template <class A>
  static constexpr unsigned at_once = 128 / sizeof(A);

  unsigned turns = 1;
  unsigned count;

  /// For n elements; a block reduces `turn` of them in each turn.
  Subtrees(std::size_t n, std::size_t turn) {
    while (turns < most_turns && ceil_div(n, turn * turns) > enough) turns *= 2;
    count = static_cast<unsigned>(ceil_div(n, turn * turns));
  }
};

}  // namespace ladder
