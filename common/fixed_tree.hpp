#pragma once

// The fixed tree: an order of operations that depends on n alone. A reduction by it has the same
// bits by any number of threads, with vectors of any width, on any processor.
//
// With A the type of the accumulator, of L = 512 / sizeof(A) lanes (128 floats, 64 doubles):
//   1. A chunk is 16 · L elements, the last one what is left. Each lane of a chunk begins with the
//      operation's identity. Lane l takes in the chunk's elements l, l + L, l + 2 L, ... in turn.
//   2. Of the lanes of a chunk the first L / 2 take in the others, lane l that at l + L / 2. Of
//      these the first L / 4 take in the others, and so on until one is left.
//   3. Chunks 2 i and 2 i + 1 are joined, then of their results 2 i and 2 i + 1, and so on until
//      one is left. A last one without a neighbour goes up as it is.
//   4. A result that is NaN is the quiet NaN of std::numeric_limits.
//
// What lies behind the last element may be left out or be taken as the identity: x + 0 and x · 1
// are x, for a lane of a sum begins with +0, and so never is -0. Any 2^k chunks from a multiple of
// 2^k on are a subtree: so work is shared out.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "common/accounting.hpp"

namespace ladder {

struct FixedTree {
  std::size_t lanes, rows;
  constexpr std::size_t chunk() const { return lanes * rows; }
};

template <class A>
inline constexpr FixedTree fixed_tree{512 / sizeof(A), 16};

/// The longest chain of operations of a tree that has n elements.
constexpr std::size_t depth_of(const FixedTree& tree, std::size_t n) {
  const std::size_t chunks = std::max<std::size_t>(1, ceil_div(n, tree.chunk()));
  const auto joins = std::bit_width(tree.lanes) - 1 + std::bit_width(chunks - 1);
  return std::min(n, std::min(tree.rows, ceil_div(n, tree.lanes)) + static_cast<unsigned>(joins));
}

namespace detail {

template <class Op, class T, class A = typename Op::value>
A chunk_by(const FixedTree& tree, const T* x, std::size_t n) {
  std::vector<A> lane(tree.lanes, Op::identity());
  for (std::size_t i = 0; i < n; ++i) lane[i % tree.lanes] = Op{}(lane[i % tree.lanes], A(x[i]));
  for (std::size_t half = tree.lanes / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) lane[l] = Op{}(lane[l], lane[l + half]);
  }
  return lane[0];
}

template <class Op, class T, class A = typename Op::value>
A chunks_by(const FixedTree& tree, const T* x, std::size_t n) {
  if (n <= tree.chunk()) return chunk_by<Op>(tree, x, n);
  // The most chunks that are a power of two and leave something behind them.
  const std::size_t left = std::bit_floor(ceil_div(n, tree.chunk()) - 1) * tree.chunk();
  return Op{}(chunks_by<Op>(tree, x, left), chunks_by<Op>(tree, x + left, n - left));
}

}  // namespace detail

/// The reduction of n floating-point elements by such a tree, one operation after the other: what
/// rungs are held against. They share no code with it.
template <class Op, class T, class A = typename Op::value>
A reduce_by(const FixedTree& tree, const T* x, std::size_t n) {
  const A value = detail::chunks_by<Op>(tree, x, n);
  return std::isnan(value) ? std::numeric_limits<A>::quiet_NaN() : value;
}

}  // namespace ladder
