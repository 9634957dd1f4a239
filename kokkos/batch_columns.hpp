#pragma once

// Columns, by tiles of the matrix.

#include <bit>
#include <type_traits>

#include "kokkos/batch.hpp"

namespace ladder::kokkos {

/// How a league lies over a matrix: `across` teams side by side, each of which has `chunk` rows
/// of `vectors` vectors of columns, as many rows at once as it has leaves for.
struct Tiling {
  Index across, chunk;
  unsigned vectors, at_once;
};

/// Each team leaves the results of its columns in row number `team / across` of `result`, which has
/// as many columns as there are. A vector is `wide` elements.
template <class T, class Op, class Block, unsigned wide>
struct ColumnTiles {
  using A = typename Op::value;
  using Each = Beside<Op, wide>;
  using Loaded = std::conditional_t<wide == 1, T, Vector<T>>;
  static constexpr unsigned resident = batch_resident;
  Matrix<T, A> columns;
  Tiling tiling;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned vectors = tiling.vectors, at_once = tiling.at_once;
    A* const tile = shared_memory<A>(team, wide * block);
    const Index row = team.league_rank() / tiling.across;
    const Index first = (team.league_rank() - row * tiling.across) * vectors;
    const Index there = columns.count / wide - first;
    const unsigned mine = there < vectors ? static_cast<unsigned>(there) : vectors;
    const Index top = row * tiling.chunk, end = top + tiling.chunk;
    const Index bottom = end < columns.length ? end : columns.length;

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, at_once * vectors), [&](unsigned leaf) {
      const unsigned y = leaf / vectors, column = leaf - y * vectors;
      auto value = Each::identity();
      if (column < mine) {
        const Index step = at_once * columns.pitch;
        const T* at = columns.x + (top + y) * columns.pitch + (first + column) * wide;
        LADDER_UNROLLED
        for (Index k = steps(top + y, bottom, at_once); k > 0; --k, at += step)
          value = Each{}(value, spread(*reinterpret_cast<const Loaded*>(at)));
      }
      LADDER_UNROLLED_WHOLE
      for (unsigned e = 0; e < wide; ++e) tile[e * block + leaf] = value.at[e];
    });
    team.team_barrier();
    for (unsigned rows = at_once; rows > 1;) {
      const unsigned half = (rows + 1) / 2;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (rows - half) * vectors),
                           [&](unsigned leaf) {
                             LADDER_UNROLLED_WHOLE
                             for (unsigned e = 0; e < wide; ++e) {
                               A& value = tile[e * block + leaf];
                               value = Op{}(value, tile[e * block + leaf + half * vectors]);
                             }
                           });
      team.team_barrier();
      rows = half;
    }
    A* const result = columns.result + row * columns.count + first * wide;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, mine * wide),
                         [&](unsigned i) { result[i] = tile[i % wide * block + i / wide]; });
  }

 private:
  static KOKKOS_FUNCTION typename Each::value spread(const Loaded& loaded) {
    typename Each::value value;
    if constexpr (wide == 1) {
      value.at[0] = A(loaded);
    } else {
      const auto elements = elements_of<T>(loaded);
      LADDER_UNROLLED_WHOLE
      for (unsigned e = 0; e < wide; ++e) value.at[e] = A(elements.at[e]);
    }
    return value;
  }
};

/// One launch over a matrix: into `result`, where `chunks` is 1, else into a row for each chunk of
/// its rows.
template <class Op, class T, class Block>
void tile_columns(Queue& queue, const Matrix<T, typename Op::value>& columns, Block block,
                  std::size_t chunks) {
  using A = typename Op::value;
  const auto launch = [&]<unsigned wide>() {
    const auto vectors = static_cast<std::size_t>(columns.count) / wide;
    const auto tile = static_cast<unsigned>(std::min<std::size_t>(vectors, block));
    const auto rows = static_cast<std::size_t>(columns.length);
    const std::size_t across = ceil_div(vectors, tile), chunk = ceil_div(rows, chunks);
    const Tiling tiling{static_cast<Index>(across), static_cast<Index>(chunk), tile, block / tile};
    const std::size_t results = static_cast<std::size_t>(columns.count) * chunks;
    queue.launch(ColumnTiles<T, Op, Block, wide>{columns, tiling, block},
                 league(across * chunks, block, wide * block * sizeof(A)),
                 Pass{.read_bytes = rows * static_cast<std::size_t>(columns.count) * sizeof(T),
                      .written_bytes = results * sizeof(A),
                      .depth = ceil_div(chunk, tiling.at_once) +
                               static_cast<std::size_t>(std::bit_width(tiling.at_once))});
  };
  if (rows_are_aligned(columns.x, static_cast<std::size_t>(columns.pitch)) &&
      columns.count % width<T> == 0)
    return launch.template operator()<width<T>>();
  launch.template operator()<1>();
}

/// Teams take chunks of the rows, so many that there are teams for the whole device; where there
/// are several chunks, a second launch joins what they have left, a matrix of as many columns.
template <class Case>
void by_column_tiles(Queue& queue, const View<Case>& problem) {
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  using T = typename Case::element;
  const auto columns = matrix_of(problem);
  const std::size_t count = problem.groups.count, rows = problem.groups.length;
  with_batch_block(queue, batch_block, [&](auto block) {
    const bool aligned =
        rows_are_aligned(problem.input, problem.groups.pitch) && count % width<T> == 0;
    const std::size_t vectors = aligned ? count / width<T> : count;
    const std::size_t across = ceil_div(vectors, block);
    const std::size_t at_once = std::max<std::size_t>(1, block / vectors);
    const std::size_t most = ceil_div(rows, at_once * 2 * unrolled);
    const std::size_t wanted =
        std::clamp<std::size_t>(one_wave(queue) / across, 1, std::max<std::size_t>(1, most));
    const std::size_t chunks = ceil_div(rows, ceil_div(rows, wanted));  // none without rows
    if (chunks == 1) return tile_columns<Op>(queue, columns, block, 1);
    A* const partial = queue.scratch<A>(chunks * count);
    auto first = columns;
    first.result = partial;
    tile_columns<Op>(queue, first, block, chunks);
    const Matrix<A, A> second{partial, columns.count, static_cast<Index>(chunks), columns.count,
                              columns.result};
    tile_columns<Op>(queue, second, block, 1);
  });
}

}  // namespace ladder::kokkos
