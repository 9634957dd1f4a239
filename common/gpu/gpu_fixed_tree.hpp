#pragma once

// The fixed tree (common/fixed_tree.hpp) in a block: the chunks of its crews, and joins of
// neighbouring values.

#include <cstdint>

#include "common/gpu/index.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "common/model/subtrees.hpp"

namespace ladder::LADDER_MODEL {

/// Value of a chunk at x, or of the `left` elements that remain: in the first thread of its crew.
template <class T, class Op, class A = typename Op::value>
__device__ A of_chunk(const T* x, Index left) {
  using Crew = Crew<T, A>;
  const unsigned first = threadIdx.x % Crew::threads * Crew::lanes;
  A mine[Crew::lanes];
#pragma unroll
  for (A& lane : mine) lane = Op::identity();
  if (left >= Crew::chunk && reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) == 0) {
    Vector<T> row[Crew::rows];
#pragma unroll
    for (unsigned r = 0; r < Crew::rows; ++r)
      row[r] = reinterpret_cast<const Vector<T>*>(x + first)[r * Crew::threads];
#pragma unroll
    for (unsigned r = 0; r < Crew::rows; ++r) {
      const Elements<T> elements = elements_of<T>(row[r]);
#pragma unroll
      for (unsigned l = 0; l < Crew::lanes; ++l) mine[l] = Op{}(mine[l], A(elements.at[l]));
    }
  } else {
#pragma unroll unrolled
    for (unsigned i = first; i < Crew::chunk; i += Crew::tree.lanes) {
#pragma unroll
      for (unsigned l = 0; l < Crew::lanes; ++l)
        if (i + l < left) mine[l] = Op{}(mine[l], A(x[i + l]));
    }
  }
#pragma unroll
  for (unsigned s = Crew::threads / 2; s > 0; s /= 2) {
#pragma unroll
    for (A& lane : mine) lane = Op{}(lane, from_above(lane, s));
  }
#pragma unroll
  for (unsigned s = Crew::lanes / 2; s > 0; s /= 2) {
#pragma unroll
    for (unsigned l = 0; l < s; ++l) mine[l] = Op{}(mine[l], mine[l + s]);
  }
  return mine[0];
}

/// Joins values of `count` lanes, `from` apart, neighbours first. The first lane gets the result.
template <class Op, unsigned from, unsigned count, class A>
__device__ A join_lanes(A mine) {
#pragma unroll
  for (unsigned s = from; s < count; s *= 2) mine = Op{}(mine, from_above(mine, s));
  return mine;
}

/// Joins the first `count` values of `tile`, at most one per thread, neighbours first: in thread 0.
/// All threads must call it between two writes to `tile`; it has the barriers for both.
template <class Op, unsigned block, class A>
__device__ A join_tile(const A* tile, unsigned count) {
  constexpr unsigned wave = lanes(block);
  __shared__ A tops[block / wave];
  const unsigned tid = threadIdx.x;
  __syncthreads();
  A mine = join_lanes<Op, 1, wave>(tid < count ? tile[tid] : Op::identity());
  if (tid % wave == 0) tops[tid / wave] = mine;
  __syncthreads();
  if (tid < wave) {
    mine = tid < block / wave ? tops[tid] : Op::identity();
    mine = join_lanes<Op, 1, block / wave>(mine);
  }
  return mine;
}

}  // namespace ladder::LADDER_MODEL
