#pragma once

// The fixed tree (common/fixed_tree.hpp) above its chunks, for workers that take some each.

#include <array>
#include <bit>
#include <cstddef>

#include "common/accounting.hpp"
#include "common/fixed_tree.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu {

/// The subtrees that workers reduce: 2^k chunks each, as few as leave a queue room for the results.
struct Subtrees {
  std::size_t elements, count;

  Subtrees(const FixedTree& tree, std::size_t n, unsigned workers) : elements(tree.chunk()) {
    while (ceil_div(n, elements) > workers * subtrees_per_worker) elements *= 2;
    count = ceil_div(n, elements);
  }
};

/// Joins values as step 3 of the tree does, each as soon as its neighbour is there.
template <class Op>
class Joined {
  using A = typename Op::value;

 public:
  void add(A value) {
    std::size_t level = 0;
    for (std::size_t i = count_++; (i & 1) != 0; i >>= 1) value = Op{}(waiting_[level++], value);
    waiting_[level] = value;
  }
  /// Of one or more.
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
  std::array<A, 64> waiting_{};  ///< at k the result of 2^k values, where count_ has that bit
};

}  // namespace ladder::cpu
