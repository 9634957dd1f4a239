#pragma once

// The fixed tree (common/fixed_tree.hpp) for blocks of threads that load 16 bytes at once.
//
// A row of a chunk is one load by each of a few threads, its *crew*: 32 threads, or 16 where an
// element has half the bytes of its accumulator. Each thread has the same lanes in all rows, so a
// chunk is 16 loads of each, and the tree over the lanes goes from thread to thread. Any 2^k chunks
// from a multiple of 2^k on are a subtree: the crews of a block take a chunk each, in one turn or a
// power of two of turns, and what the block has then is one value.

#include <cstddef>

#include "common/accounting.hpp"
#include "common/fixed_tree.hpp"
#include "common/model/layout.hpp"

namespace ladder {

/// Who takes a chunk of elements of type T, with accumulators of type A.
template <class T, class A>
struct Crew {
  static constexpr FixedTree tree = fixed_tree<A>;
  static constexpr unsigned chunk = tree.chunk();    ///< elements
  static constexpr unsigned rows = tree.rows;        ///< loads of each thread
  static constexpr unsigned lanes = 16 / sizeof(T);  ///< of each thread, side by side in one load
  static constexpr unsigned threads = tree.lanes / lanes;
  static_assert(threads <= smallest_block, "a block has whole crews");

  /// Blocks of `block` threads that are to be resident at once, for a compiler that shares out
  /// registers: with fewer threads it has room for all loads of a chunk before the first is used.
  /// Elements of two bytes are converted as they come, and it takes a few loads at a time however
  /// many registers there are: more threads, then.
  static constexpr unsigned resident(unsigned block) {
    const unsigned blocks = (sizeof(T) == 2 ? 1024 : 512) / block;
    return blocks < 1 ? 1 : blocks < 16 ? blocks : 16;
  }
};

/// The subtrees that blocks reduce one after the other.
struct Subtrees {
  /// The most turns: a block has no more values to join than it has threads.
  static constexpr unsigned most_turns = 32;
  /// With more subtrees than these there are more turns in each: few partials are left to join, and
  /// still enough subtrees for each of the blocks that a GPU runs at once.
  static constexpr std::size_t enough = 8192;
  /// Partials that a thread of the last block loads at once, as long as that is no more than there
  /// may be turns.
  template <class A>
  static constexpr unsigned at_once = 128 / sizeof(A);

  unsigned turns = 1;
  unsigned count;

  /// For n elements, of which a block takes `turn` in each turn.
  Subtrees(std::size_t n, std::size_t turn) {
    while (turns < most_turns && ceil_div(n, turn * turns) > enough) turns *= 2;
    count = static_cast<unsigned>(ceil_div(n, turn * turns));
  }
};

}  // namespace ladder
