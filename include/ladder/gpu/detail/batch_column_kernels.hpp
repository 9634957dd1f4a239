#pragma once

// Columns of a matrix in tiles; the partials of row chunks are combined in a fixed order.

#include <algorithm>
#include <cstddef>

#include "ladder/gpu/detail/batch_kernels.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// A thread's values of `width` adjacent columns.
template <unsigned width, class A>
struct ColumnsOf {
  Room<A> at[width];
};

/// Shared memory per thread, and threads per block for columns; large blocks leave fewer partials
/// per SM.
template <class In, class A>
inline constexpr unsigned column_bytes =
    std::max<std::size_t>(16, sizeof(ColumnsOf<Access<In>::width, A>));
template <class In, class A>
inline constexpr unsigned column_block = fitting_block(512, column_bytes<In, A>);

/// Reduces a tile of `columns` adjacent loads and `rows` rows from `x` on. Each thread walks down
/// the columns of one load; the block / columns threads of a load share its rows. The first
/// `columns` threads get the results.
template <unsigned block, class In, class A, class Op, unsigned width = Access<In>::width>
__device__ void fold_columns(In x, Index rows, Index pitch, unsigned columns,
                             ColumnsOf<width, A>* tile, ColumnsOf<width, A>& mine, Op op,
                             A identity) {
  const unsigned tid = threadIdx.x, together = block / columns;
  const unsigned row = tid / columns, column = tid % columns;
#pragma unroll
  for (unsigned w = 0; w < width; ++w) mine.at[w].value = identity;
  constexpr unsigned at_once = width * sizeof(A) > 16 ? 4 : 8;
  if (row < together) {
    Index r = row;
    const auto take = [&](const Loaded<In, A>& loaded) {
      if constexpr (width == 1) {
        mine.at[0].value = op(mine.at[0].value, loaded.room.value);
      } else if constexpr (is_transformed<In>) {
#pragma unroll
        for (unsigned w = 0; w < width; ++w)
          mine.at[w].value = op(mine.at[w].value, reduce_detail::cast<A>(loaded.value(w)));
      } else {
        with_elements<In>(loaded.vector, [&](const auto* at) {
#pragma unroll
          for (unsigned w = 0; w < width; ++w)
            mine.at[w].value = op(mine.at[w].value, reduce_detail::cast<A>(at[w]));
        });
      }
    };
#pragma unroll 1
    for (; r + (at_once - 1) * Index{together} < rows; r += at_once * Index{together}) {
      Loaded<In, A> loaded[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k)
        loaded[k].load(x + (r + k * Index{together}) * pitch, column);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) take(loaded[k]);
    }
    for (; r < rows; r += together) {
      Loaded<In, A> loaded;
      loaded.load(x + r * pitch, column);
      take(loaded);
    }
  }
  tile[tid] = mine;
  __syncthreads();
  for (unsigned below = together; below > 1;) {  // partials per column
    const unsigned half = (below + 1) / 2;
    if (row + half < below) {
#pragma unroll
      for (unsigned w = 0; w < width; ++w)
        mine.at[w].value = op(mine.at[w].value, tile[tid + half * columns].at[w].value);
      tile[tid] = mine;
    }
    __syncthreads();
    below = half;
  }
}

/// Combines the partials of `chunks` chunks of a tile, `block` loads at a time. `memory` has at
/// least 16 bytes per thread.
template <unsigned block, class In, class A, class Op>
__device__ void join_some(In partials, Index chunks, Index columns, A* result, void* memory, Op op,
                          A identity) {
  constexpr unsigned width = Access<In>::width;
  const Index loads = columns / width;
  for (Index done = 0; done < loads; done += block) {
    const Index rest = loads - done;
    const auto some = static_cast<unsigned>(rest < block ? rest : block);
    ColumnsOf<width, A> mine;
    fold_columns<block, In, A>(partials + done * width, chunks, columns, some,
                               static_cast<ColumnsOf<width, A>*>(memory), mine, op, identity);
    if (threadIdx.x < some) {
#pragma unroll
      for (unsigned w = 0; w < width; ++w)
        result[(done + threadIdx.x) * width + w] = mine.at[w].value;
    }
    __syncthreads();
  }
}
template <unsigned block, class A, class Op>
__device__ void join_chunks(const A* partials, Index chunks, Index columns, A* result, void* memory,
                            Op op, A identity) {
  if constexpr (FillsVector<A>) {
    constexpr unsigned width = Access<const A*>::width;
    if (columns % width == 0 && past_boundary(partials) == 0)
      return join_some<block, const A*>(partials, chunks, columns, result, memory, op, identity);
  }
  join_some<block>(OneByOne<A>{partials}, chunks, columns, result, memory, op, identity);
}

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

/// A matrix to reduce by columns, cut into tiles of `tile` loads and chunks of `chunk` rows.
struct ColumnTiles {
  Index rows, pitch;
  unsigned loads;   ///< per row
  unsigned tile;    ///< adjacent loads per block, at most its threads
  unsigned chunks;  ///< per tile
  Index chunk;      ///< rows per chunk
};

#pragma GCC visibility push(hidden)

/// One block per tile and chunk; the last block of a tile to finish combines the chunks.
template <class In, class A, class Op>
__global__ void __launch_bounds__((column_block<In, A>))
    columns_by_tiles(In x, ColumnTiles all, Batch<A> batch, Op op, A identity) {
  constexpr unsigned width = Access<In>::width;
  using Columns = ColumnsOf<width, A>;
  constexpr unsigned block = column_block<In, A>;
  __shared__ __align__(16) unsigned char memory[block * column_bytes<In, A>];
  auto* const tile = reinterpret_cast<Columns*>(memory);
  const unsigned at = blockIdx.x / all.chunks, part = blockIdx.x % all.chunks;
  const unsigned first = at * all.tile, left = all.loads - first;
  const unsigned columns = left < all.tile ? left : all.tile;
  const Index begin = part * all.chunk, rows = all.rows - begin;
  Columns mine;
  fold_columns<block, In, A>(x + (begin * all.pitch + Index{first} * width),
                             rows < all.chunk ? rows : all.chunk, all.pitch, columns, tile, mine,
                             op, identity);
  const bool has = threadIdx.x < columns;
  const auto put_to = [&](A* to) {
#pragma unroll
    for (unsigned w = 0; w < width; ++w) to[threadIdx.x * width + w] = mine.at[w].value;
  };
  if (all.chunks > 1) {
    const Index of_tile = Index{columns} * width;
    A* const partials = batch.partials + Index{first} * width * all.chunks;
    if (has) put_to(partials + part * of_tile);
    if (!is_last_of(batch.tickets + at, all.chunks)) return;
    join_chunks<block>(partials, all.chunks, of_tile, batch.result + Index{first} * width, memory,
                       op, identity);
    return;
  }
  if (has) put_to(batch.result + Index{first} * width);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
