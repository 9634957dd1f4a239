#pragma once

// Columns of a matrix in tiles: a tile's accumulators stay in the L1 cache while its rows stream
// past in memory order.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

namespace ladder::cpu {

/// Columns per tile: the accumulators leave room in the L1 cache for the stream.
inline constexpr std::size_t tile_columns = columns_per_worker;

/// Reduces rows [first, first + count) of `columns` columns from x on into `result`. Contiguous
/// rows that fit a tile together are treated as one long row.
template <class Case>
void fold_tile(const typename Case::element* x, std::size_t pitch, std::size_t first,
               std::size_t count, std::size_t columns, typename Case::accumulator* result) {
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  const std::size_t together =
      pitch == columns ? std::max<std::size_t>(1, tile_columns / columns) : 1;
  const std::size_t width = together * columns;
  std::array<A, tile_columns> tile{};
  std::fill_n(tile.begin(), width, Op::identity());
  std::size_t row = first;
  for (; row + together <= first + count; row += together) {
    const auto* at = x + row * pitch;
#pragma omp simd
    for (std::size_t c = 0; c < width; ++c) tile[c] = Op{}(tile[c], A(at[c]));
  }
  for (; row < first + count; ++row) {
    const auto* at = x + row * pitch;
    for (std::size_t c = 0; c < columns; ++c) tile[c] = Op{}(tile[c], A(at[c]));
  }
  for (std::size_t c = 0; c < columns; ++c) {
    A value = tile[c];
    for (std::size_t k = 1; k < together; ++k) value = Op{}(value, tile[k * columns + c]);
    result[c] = value;
  }
}

/// Reduces all columns. With enough tiles, each worker takes whole tiles. Otherwise all workers
/// share the rows of one tile at a time, and their partials are combined in order.
template <class Case>
void fold_columns(Queue& queue, const View<Case>& problem, unsigned workers) {
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  const Groups& all = problem.groups;
  const auto* x = problem.input;
  const std::size_t tiles = ceil_div(all.count, tile_columns);
  const auto columns_of = [&](std::size_t t) {
    return std::min(tile_columns, all.count - t * tile_columns);
  };
  if (tiles >= workers) {
    in_shares(tiles, workers, [&](std::size_t, std::size_t first, std::size_t count) {
      for (std::size_t t = first; t < first + count; ++t)
        fold_tile<Case>(x + t * tile_columns, all.pitch, 0, all.length, columns_of(t),
                        problem.result + t * tile_columns);
    });
    return;
  }
  A* const partials = queue.columns<A>();
  for (std::size_t t = 0; t < tiles; ++t) {
    in_shares(all.length, workers, [&](std::size_t me, std::size_t first, std::size_t count) {
      fold_tile<Case>(x + t * tile_columns, all.pitch, first, count, columns_of(t),
                      partials + me * tile_columns);
    });
    for (std::size_t c = 0; c < columns_of(t); ++c) {
      A value = Op::identity();
      for (unsigned w = 0; w < workers; ++w) value = Op{}(value, partials[w * tile_columns + c]);
      problem.result[t * tile_columns + c] = value;
    }
  }
}

}  // namespace ladder::cpu
