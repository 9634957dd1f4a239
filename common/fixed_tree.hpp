#pragma once

// The fixed tree: an order of operations that depends on n alone. A reduction in this order has the
// same bits with any number of threads and any vector width, on any processor.
//
// With A the type of the accumulator and L = 512 / sizeof(A) lanes (128 floats, 64 doubles):
//   1. A chunk is 16 · L elements; the last may be shorter. Each lane of a chunk starts with the
//      operation's identity. Lane l combines the chunk's elements l, l + L, l + 2 L, ... in turn.
//   2. The first L / 2 lanes of a chunk combine with the others, lane l with lane l + L / 2. Of
//      these, the first L / 4 combine with the others, and so on until one is left.
//   3. Chunks 2 i and 2 i + 1 are joined, then their results 2 i and 2 i + 1, and so on until one
//      is left. A last one without a neighbour goes up unchanged.
//   4. A result that is NaN is the quiet NaN of std::numeric_limits.
//
// Elements past the last one may be left out or taken as the identity: x + 0 and x · 1 are x, since
// a lane of a sum starts with +0 and so is never -0. Any 2^k chunks from a multiple of 2^k on are a
// subtree, the unit in which work is divided.

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

/// Longest chain of operations of a tree with n elements.
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
  // The largest power of two of chunks that leaves a rest.
  const std::size_t left = std::bit_floor(ceil_div(n, tree.chunk()) - 1) * tree.chunk();
  return Op{}(chunks_by<Op>(tree, x, left), chunks_by<Op>(tree, x + left, n - left));
}

}  // namespace detail

/// Sequential reference: reduces n floating-point elements by such a tree. Rungs are checked
/// against it and share no code with it.
template <class Op, class T, class A = typename Op::value>
A reduce_by(const FixedTree& tree, const T* x, std::size_t n) {
  const A value = detail::chunks_by<Op>(tree, x, n);
  return std::isnan(value) ? std::numeric_limits<A>::quiet_NaN() : value;
}

}  // namespace ladder
