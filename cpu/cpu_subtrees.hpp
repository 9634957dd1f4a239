#pragma once

// The fixed tree (common/fixed_tree.hpp) above its chunks; workers share the chunks.

#include <array>
#include <bit>
#include <cstddef>

#include "common/accounting.hpp"
#include "common/fixed_tree.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu {

/// Subtrees of 2^k chunks each, with the smallest k whose results fit the queue's scratch.
struct Subtrees {
  std::size_t elements, count;

  Subtrees(const FixedTree& tree, std::size_t n, unsigned workers) : elements(tree.chunk()) {
    while (ceil_div(n, elements) > workers * subtrees_per_worker) elements *= 2;
    count = ceil_div(n, elements);
  }
};

/// Combines values as in step 3 of the tree, each as soon as its neighbour has arrived.
template <class Op>
class Joined {
  using A = typename Op::value;

 public:
  void add(A value) {
    std::size_t level = 0;
    for (std::size_t i = count_++; (i & 1) != 0; i >>= 1) value = Op{}(waiting_[level++], value);
    waiting_[level] = value;
  }
  /// Requires at least one value.
  A value() const {
    auto level = static_cast<std::size_t>(std::countr_zero(count_));
    A value = waiting_[level];
    for (++level; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) != 0) value = Op{}(waiting_[level], value);
    }
    return value;
  }

 private:
  std::size_t count_ = 0;
  std::array<A, 64> waiting_{};  ///< [k]: result of 2^k values, if bit k of count_ is set
};

}  // namespace ladder::cpu
