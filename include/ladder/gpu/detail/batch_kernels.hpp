#pragma once

// Kernels of many reductions at once: rows by lanes of a wave, by way of shared memory, or by
// blocks. Results and partials are joined in an order that is the same each time.

#include <cstdint>
#include <type_traits>

#include "ladder/detail/shapes.hpp"
#include "ladder/gpu/detail/gpu_tree.hpp"
#include "ladder/gpu/detail/input.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

#pragma GCC visibility pop  // lambdas of others may hold these

/// Where the results of a launch go, and the partials of what several blocks take.
template <class A>
struct Batch {
  A* result;
  A* partials;
  unsigned* tickets;  ///< all zero before and after
};

#pragma GCC visibility push(hidden)

/// Threads of a block, where it is not said otherwise.
inline constexpr unsigned batch_block = 256;
/// Loads that a thread has under way in `rows_by_lanes`: of 16 bytes, or of an element. Fewer where
/// the values take more registers.
template <class In, class A>
inline constexpr unsigned lane_loads = (Access<In>::width > 1 ? 8 : 16) / (sizeof(A) > 4 ? 2 : 1);
/// Bytes of rows that a block of `rows_staged` takes.
inline constexpr unsigned staged_bytes = 16 * 1024;

/// What the lane has whose number differs by the bits of `distance`. All lanes have to call it.
template <class A>
__device__ A from_across(const A& value, unsigned distance) {
  auto pieces = cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p) pieces.at[p] = lane_across(pieces.at[p], distance);
  return joined<A>(pieces);
}

/// `lanes` lanes side by side, a power of two, have `count` values each, one of each row. They end
/// with the rows' values shared among them: of two lanes that are `lanes / 2` apart each hands the
/// other half of its rows over, so that each step has half as many values to combine. Calls
/// `write(row, value)` once for each row. All lanes of the wave have to call it.
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
      // Copied, or what is chosen is an address, and the values lie in memory.
      const A low = values[k].value, high = values[k + half].value;
      const A sent = upper ? low : high, kept = upper ? high : low;
      values[k].value = op(kept, from_across(sent, distance));
    }
    share_rows<half>(values, lane, distance, upper ? row + half : row, op, write);
  }
}

/// `lanes` lanes, a power of two up to 32, take a row of up to `per_lane` loads a lane, and several
/// rows at once: all loads are under way before the first is used. The row has one load or more.
template <unsigned per_lane, class In, class A, class Op>
__global__ void __launch_bounds__(batch_block)
    rows_by_lanes(In x, RowsOf rows, unsigned lanes, A* result, Op op, A identity) {
  constexpr unsigned at_once = lane_loads<In, A> / per_lane, width = Access<In>::width;
  const unsigned lane = threadIdx.x % lanes, group = threadIdx.x / lanes;
  const unsigned groups = batch_block / lanes;
  // Short rows of neighbouring groups lie side by side, for whole cache lines in each load; where
  // a row fills these, the rows of a group do, for whole cache lines of results.
  const bool apart = lanes < 16;
  const Index first = Index{blockIdx.x} * groups * at_once + (apart ? group : group * at_once);
  const unsigned step = apart ? groups : 1;
  const auto loads = static_cast<unsigned>(rows.length / width);
  Loaded<In, A> loaded[at_once][per_lane];
  const bool whole = Index{blockIdx.x + 1} * groups * at_once <= rows.count;
  if (whole && loads == lanes * per_lane) {
    In row = advanced(x, first * rows.pitch);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k, row = advanced(row, step * rows.pitch)) {
#pragma unroll
      for (unsigned v = 0; v < per_lane; ++v) loaded[k][v].load(row, lane + v * lanes);
    }
  } else {
    // Lanes and rows that are not there load what is, or each load would wait for a branch.
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const Index at = first + k * step;
      const In row = advanced(x, (at < rows.count ? at : rows.count - 1) * rows.pitch);
#pragma unroll
      for (unsigned v = 0; v < per_lane; ++v) {
        const unsigned i = lane + v * lanes;
        loaded[k][v].load(row, i < loads ? i : loads - 1);
      }
    }
  }
  Room<A> values[at_once];
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k) {
    A mine = lane < loads ? value_of(loaded[k][0], op) : identity;
#pragma unroll
    for (unsigned v = 1; v < per_lane; ++v)
      if (lane + v * lanes < loads) mine = op(mine, value_of(loaded[k][v], op));
    values[k].value = mine;
  }
  if (width > 1 && rows.length % width != 0) {
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const Index at = first + k * step;
      const In row = advanced(x, (at < rows.count ? at : rows.count - 1) * rows.pitch);
      for (Index i = Index{loads} * width + lane; i < rows.length; i += lanes)
        values[k].value = op(values[k].value, cast<A>(row[i]));
    }
  }
  share_rows<at_once>(values, lane, lanes, 0, op, [&](unsigned k, const A& value) {
    const Index at = first + k * step;
    if (at < rows.count) result[at] = value;
  });
}

/// A block takes `rows_of_tile` rows that lie side by side as one array into shared memory,
/// whatever their length, and `lanes` lanes take each from there.
template <class T, class A, class Op>
__global__ void __launch_bounds__(batch_block)
    rows_staged(const T* x, RowsOf rows, unsigned rows_of_tile, unsigned lanes, A* result, Op op,
                A identity) {
  using Vector = typename Access<const T*>::Vector;
  constexpr unsigned width = Access<const T*>::width, most = staged_bytes / sizeof(Vector);
  __shared__ Vector memory[most + 2];
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * rows_of_tile, left = rows.count - first;
  const unsigned count = static_cast<unsigned>(left < rows_of_tile ? left : rows_of_tile);
  const auto length = static_cast<unsigned>(rows.length);
  // At the same place within 16 bytes as in the input.
  const T* const from = x + first * rows.length;
  const unsigned past = past_boundary(from), n = count * length;
  T* const tile = reinterpret_cast<T*>(memory) + past;
  const unsigned until = (width - past) % width, head = until < n ? until : n;
  const unsigned vectors = (n - head) / width, tail = head + vectors * width;
  const auto* const source = reinterpret_cast<const Vector*>(from + head);
  auto* const target = reinterpret_cast<Vector*>(tile + head);
  Vector loaded[most / batch_block];
#pragma unroll
  for (unsigned k = 0; k < most / batch_block; ++k) {
    const unsigned i = tid + k * batch_block;
    if (i < vectors) loaded[k] = source[i];
  }
  if (tid < head) tile[tid] = from[tid];
  if (tid < n - tail) tile[tail + tid] = from[tail + tid];
#pragma unroll
  for (unsigned k = 0; k < most / batch_block; ++k) {
    const unsigned i = tid + k * batch_block;
    if (i < vectors) target[i] = loaded[k];
  }
  __syncthreads();
  const unsigned lane = tid % lanes, groups = batch_block / lanes;
#pragma unroll 1
  for (unsigned begin = 0; begin < count; begin += groups) {  // all lanes of a wave stay together
    const unsigned row = begin + tid / lanes;
    A mine = identity;
    if (row < count)
      for (unsigned i = lane; i < length; i += lanes)
        mine = op(mine, cast<A>(tile[row * length + i]));
    Room<A> one;
    one.value = mine;
    share_rows<1>(&one, lane, lanes, row, op, [&](unsigned at, const A& value) {
      if (at < count) result[first + at] = value;
    });
  }
}

/// Whether this block is the last of `blocks` to come here; what the others wrote before is then
/// seen by all of its threads.
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

/// A row is cut into `chunks` chunks of `chunk` elements, each for a block; the last block of a row
/// to finish joins their partials.
template <unsigned block, unsigned vectors, class In, class A, class Op>
__global__ void __launch_bounds__(block, (least_resident<block, vectors>))
    rows_by_blocks(In x, RowsOf rows, unsigned chunks, Index chunk, Batch<A> batch, Op op,
                   A identity) {
  __shared__ __align__(alignof(A)) unsigned char memory[warps_of<block> * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  const unsigned row = blockIdx.x / chunks, part = blockIdx.x % chunks;
  const Index begin = part * chunk, left = rows.length - begin;
  A mine = share_of<block, vectors, true>(advanced(x, row * rows.pitch + begin),
                                          left < chunk ? left : chunk, identity, op);
  mine = reduce_block<block>(mine, identity, op, tile);
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
  mine = reduce_block<block>(mine, identity, op, tile);
  if (threadIdx.x == 0) batch.result[row] = mine;
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
