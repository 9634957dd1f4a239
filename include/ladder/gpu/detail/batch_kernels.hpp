#pragma once

// Kernels of batched reductions: rows by lanes of a wave, through shared memory, or by blocks.
// Results and partials are combined in a fixed order.

#include <cstdint>
#include <type_traits>

#include "ladder/detail/shapes.hpp"
#include "ladder/gpu/detail/gpu_tree.hpp"
#include "ladder/gpu/detail/input.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

/// Output of a launch: results, and the partials of groups split over several blocks.
template <class A>
struct Batch {
  A* result;
  A* partials;
  unsigned* tickets;  ///< all zero before and after a launch
};

#pragma GCC visibility push(hidden)

/// Default threads per block.
inline constexpr unsigned batch_block = 256;
/// Largest block of at most `most` threads whose `bytes` per thread fit in 48 KiB of shared memory,
/// which every GPU has, with 2 KiB left for the rest of the kernel.
constexpr unsigned fitting_block(unsigned most, std::size_t bytes) {
  while (most > 64 && most * bytes > 46 * 1024) most /= 2;
  return most;
}
/// Loads in flight per thread in `rows_by_lanes`, 16 bytes or one element each; half as many for
/// accumulators above 4 bytes, which need more registers.
template <class In, class A>
inline constexpr unsigned lane_loads = (Access<In>::width > 1 ? 8 : 16) / (sizeof(A) > 4 ? 2 : 1);
/// Bytes of rows per block of `rows_staged`.
inline constexpr unsigned staged_bytes = 16 * 1024;

/// Value of the lane at `lane ^ distance`. All lanes must call it.
template <class A>
__device__ A from_across(const A& value, unsigned distance) {
  return by_words(value, [distance](unsigned word) { return lane_across(word, distance); });
}

/// Reduces `count` values per lane, one per row, over `lanes` adjacent lanes, a power of two. In
/// each step, lanes that are `lanes / 2` apart exchange half of their rows, which halves the
/// remaining values. Calls `write(row, value)` once per row. All lanes of the wave must call it.
template <unsigned count, class A, class Op, class Write>
__device__ void share_rows(Room<A>* values, unsigned lane, unsigned lanes, unsigned row, Op op,
                           const Write& write) {
  const unsigned distance = lanes / 2;
  if constexpr (count == 1) {
    A mine = values[0].value;
    for (unsigned d = distance; d > 0; d /= 2) mine = op(mine, from_across(mine, d));
    if (lane % lanes == 0) write(row, mine);
  } else {
    if (distance == 0) {
#pragma unroll
      for (unsigned k = 0; k < count; ++k) write(row + k, values[k].value);
      return;
    }
    constexpr unsigned half = count / 2;
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (unsigned k = 0; k < half; ++k) {
      // Copied: selecting by address would spill the values to local memory.
      const A low = values[k].value, high = values[k + half].value;
      const A sent = upper ? low : high, kept = upper ? high : low;
      values[k].value = op(kept, from_across(sent, distance));
    }
    share_rows<half>(values, lane, distance, upper ? row + half : row, op, write);
  }
}

/// 2^log_lanes lanes, up to 32, reduce a row of 1 to `per_lane` loads per lane, and several rows at
/// once. All loads are in flight before the first is used.
template <unsigned per_lane, class In, class A, class Op>
__global__ void __launch_bounds__(batch_block)
    rows_by_lanes(In x, RowsOf rows, unsigned log_lanes, bool once, A* result, Op op, A identity) {
  constexpr unsigned at_once = lane_loads<In, A> / per_lane, width = Access<In>::width;
  const unsigned lanes = 1U << log_lanes, lane = threadIdx.x & (lanes - 1);
  const unsigned group = threadIdx.x >> log_lanes, groups = batch_block >> log_lanes;
  // Fewer than 16 lanes: adjacent groups take adjacent rows, so that a load covers whole cache
  // lines. Otherwise a group takes adjacent rows, so that its results do.
  const bool apart = lanes < 16;
  const Index first = Index{blockIdx.x} * groups * at_once + (apart ? group : group * at_once);
  const unsigned step = apart ? groups : 1;
  const auto loads = static_cast<unsigned>(rows.length / width);
  Loaded<In, A> loaded[at_once][per_lane];
  const bool whole = Index{blockIdx.x + 1} * groups * at_once <= rows.count;
  if (whole && loads == lanes * per_lane) {
    Index row = first * rows.pitch;
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k, row += step * rows.pitch) {
#pragma unroll
      for (unsigned v = 0; v < per_lane; ++v) loaded[k][v].load(x + row, lane + v * lanes, once);
    }
  } else {
    // Surplus lanes and rows load valid elements: a branch would serialize the loads.
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const Index at = first + k * step;
      const In row = x + (at < rows.count ? at : rows.count - 1) * rows.pitch;
#pragma unroll
      for (unsigned v = 0; v < per_lane; ++v) {
        const unsigned i = lane + v * lanes;
        loaded[k][v].load(row, i < loads ? i : loads - 1, once);
      }
    }
  }
  Room<A> values[at_once];
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k) {
    A mine = lane < loads ? reduce_detail::value_of(loaded[k][0], op) : identity;
#pragma unroll
    for (unsigned v = 1; v < per_lane; ++v)
      if (lane + v * lanes < loads) mine = op(mine, reduce_detail::value_of(loaded[k][v], op));
    values[k].value = mine;
  }
  if (width > 1 && rows.length % width != 0) {
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const Index at = first + k * step;
      const In row = x + (at < rows.count ? at : rows.count - 1) * rows.pitch;
      for (Index i = Index{loads} * width + lane; i < rows.length; i += lanes)
        values[k].value = op(values[k].value, reduce_detail::cast<A>(row[i]));
    }
  }
  share_rows<at_once>(values, lane, lanes, 0, op, [&](unsigned k, const A& value) {
    const Index at = first + k * step;
    if (at < rows.count) result[at] = value;
  });
}

/// A block copies `rows_of_tile` contiguous rows of any length to shared memory as one array;
/// `lanes` lanes then reduce each row.
template <class T, class A, class Op>
__global__ void __launch_bounds__(batch_block)
    rows_staged(const T* x, RowsOf rows, unsigned rows_of_tile, unsigned lanes, bool once,
                A* result, Op op, A identity) {
  using Vector = typename Access<const T*>::Vector;
  constexpr unsigned most = staged_bytes / sizeof(Vector);
  __shared__ Vector memory[most + 2];
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * rows_of_tile, left = rows.count - first;
  const unsigned count = static_cast<unsigned>(left < rows_of_tile ? left : rows_of_tile);
  const auto length = static_cast<unsigned>(rows.length);
  // The tile has the input's offset from a 16-byte boundary.
  const T* const from = x + first * rows.length;
  T* const tile = reinterpret_cast<T*>(memory) + past_boundary(from);
  const unsigned n = count * length;
  const auto parts = reduce_detail::split(from, n);
  const auto* const source = reinterpret_cast<const Vector*>(from + parts.head);
  auto* const target = reinterpret_cast<Vector*>(tile + parts.head);
  Vector loaded[most / batch_block];
#pragma unroll
  for (unsigned k = 0; k < most / batch_block; ++k) {
    const unsigned i = tid + k * batch_block;
    if (i < parts.vectors) loaded[k] = once ? load_once(source + i) : source[i];
  }
  if (tid < parts.head) tile[tid] = from[tid];
  if (tid < n - parts.tail) tile[parts.tail + tid] = from[parts.tail + tid];
#pragma unroll
  for (unsigned k = 0; k < most / batch_block; ++k) {
    const unsigned i = tid + k * batch_block;
    if (i < parts.vectors) target[i] = loaded[k];
  }
  __syncthreads();
  const unsigned lane = tid % lanes, groups = batch_block / lanes;
#pragma unroll 1
  for (unsigned begin = 0; begin < count; begin += groups) {  // lanes of a wave do not diverge
    const unsigned row = begin + tid / lanes;
    A mine = identity;
    if (row < count)
      for (unsigned i = lane; i < length; i += lanes)
        mine = op(mine, reduce_detail::cast<A>(tile[row * length + i]));
    Room<A> one;
    one.value = mine;
    share_rows<1>(&one, lane, lanes, row, op, [&](unsigned at, const A& value) {
      if (at < count) result[first + at] = value;
    });
  }
}

/// True if this block is the last of `blocks` to call it; all its threads then see the other
/// blocks' earlier writes.
__device__ inline bool is_last_of(unsigned* ticket, unsigned blocks) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    last = draw(ticket) == blocks - 1;
    if (last) *ticket = 0;
  }
  __syncthreads();
  return last;
}

/// Each row is cut into `chunks` chunks of `chunk` elements, one block per chunk. The last block of
/// a row to finish combines the partials.
template <unsigned block, unsigned vectors, class In, class A, class Op>
__global__ void __launch_bounds__(block, (least_resident<block, vectors>))
    rows_by_blocks(In x, RowsOf rows, unsigned chunks, Index chunk, Batch<A> batch, Op op,
                   A identity) {
  __shared__ __align__(tile_alignment<A>) unsigned char memory[warps_of<block> * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  const unsigned row = blockIdx.x / chunks, part = blockIdx.x % chunks;
  const Index begin = part * chunk, left = rows.length - begin;
  A mine = share_of<block, vectors, true>(x + (row * rows.pitch + begin),
                                          left < chunk ? left : chunk, identity, op);
  mine = reduce_block<block>(mine, op, tile);
  if (chunks == 1) {
    if (threadIdx.x == 0) batch.result[row] = mine;
    return;
  }
  A* const partials = batch.partials + Index{row} * chunks;
  if (threadIdx.x == 0) partials[part] = mine;
  if (!is_last_of(batch.tickets + row, chunks)) return;
  mine = identity;
#pragma unroll 4
  for (unsigned i = threadIdx.x; i < chunks; i += block) mine = op(mine, partials[i]);
  mine = reduce_block<block>(mine, op, tile);
  if (threadIdx.x == 0) batch.result[row] = mine;
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
