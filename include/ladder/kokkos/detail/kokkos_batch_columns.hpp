#pragma once

// Columns on GPUs, in tiles of the matrix.

#include <type_traits>

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Partition of a matrix: `across` teams side by side, each with `chunk` rows of `vectors` vectors.
/// `at_once`: rows that a team's leaves cover at once.
struct Tiling {
  Index across, chunk;
  unsigned vectors, at_once;
};

/// Each team writes its columns to row `team / across` of `result`, a matrix with the same number
/// of columns.
template <class In, class A, class Op, class Identity, class Block>
struct ColumnTiles {
  static constexpr unsigned vector_length = 1, resident = resident_for<A>;
  static constexpr unsigned wide = Access<In>::width;
  struct Each {
    Room<A> at[wide];
  };
  In x;
  RowsOf columns;  ///< `count` columns of `length` elements
  Tiling tiling;
  A* result;
  Op op;
  Identity identity;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned vectors = tiling.vectors, at_once = tiling.at_once;
    A* const tile = aligned_memory<A>(team, wide * block);
    const Index row = team.league_rank() / tiling.across;
    const Index first = (team.league_rank() - row * tiling.across) * vectors;
    const Index there = columns.count / wide - first;
    const unsigned mine = there < vectors ? static_cast<unsigned>(there) : vectors;
    const Index top = row * tiling.chunk, end = top + tiling.chunk;
    const Index bottom = end < columns.length ? end : columns.length;

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, at_once * vectors), [&](unsigned leaf) {
      const unsigned y = leaf / vectors, column = leaf - y * vectors;
      Each value;
      LADDER_REDUCE_UNROLLED
      for (unsigned e = 0; e < wide; ++e) value.at[e].value = identity;
      if (column < mine) {
        const Index step = at_once * columns.pitch;
        Index at = (top + y) * columns.pitch + (first + column) * wide;
        LADDER_REDUCE_BY_FOUR
        for (Index k = steps_of(top + y, bottom, at_once); k > 0; --k, at += step) {
          Loaded<In, A> loaded;
          loaded.load(x + at, 0);
          take(value, loaded);
        }
      }
      LADDER_REDUCE_UNROLLED
      for (unsigned e = 0; e < wide; ++e) tile[e * block + leaf] = value.at[e].value;
    });
    team.team_barrier();
    for (unsigned rows = at_once; rows > 1;) {
      const unsigned half = (rows + 1) / 2;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (rows - half) * vectors),
                           [&](unsigned leaf) {
                             LADDER_REDUCE_UNROLLED
                             for (unsigned e = 0; e < wide; ++e) {
                               A& value = tile[e * block + leaf];
                               value = op(value, tile[e * block + leaf + half * vectors]);
                             }
                           });
      team.team_barrier();
      rows = half;
    }
    A* const to = result + row * columns.count + first * wide;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, mine * wide),
                         [&](unsigned i) { to[i] = tile[i % wide * block + i / wide]; });
  }

 private:
  KOKKOS_FUNCTION void take(Each& value, const Loaded<In, A>& loaded) const {
    if constexpr (wide == 1) {
      value.at[0].value = op(value.at[0].value, loaded.room.value);
    } else if constexpr (is_transformed<In>) {
      LADDER_REDUCE_UNROLLED
      for (unsigned e = 0; e < wide; ++e)
        value.at[e].value = op(value.at[e].value, static_cast<A>(loaded.value(e)));
    } else {
      with_elements<In>(loaded.vector, [&](const auto* at) {
        LADDER_REDUCE_UNROLLED
        for (unsigned e = 0; e < wide; ++e)
          value.at[e].value = op(value.at[e].value, static_cast<A>(at[e]));
      });
    }
  }
};

/// Threads per team whose scratch of `bytes` bytes per thread fits.
constexpr unsigned leaves_for(std::size_t bytes) {
  unsigned leaves = batch_block;
  while (leaves > lanes && leaves * bytes > (std::size_t{40} << 10)) leaves /= 2;
  return leaves;
}

/// Calls `f(kernel, league)` with one launch over columns and `chunks` row chunks. Writes one row
/// of `result` per chunk. A single chunk gets narrow teams, of a cache line at least, to fill the
/// device.
template <class In, class A, class Op, class Identity, class Block, class F>
void with_tiles(const In& x, const RowsOf& columns, Block block, Index wave, Index chunks,
                A* result, const Op& op, const Identity& identity, F&& f) {
  using Kernel = ColumnTiles<In, A, Op, Identity, Block>;
  const Index vectors = columns.count / Kernel::wide;
  constexpr std::size_t of_vector = Access<In>::bytes * Kernel::wide;
  constexpr Index of_line = of_vector < 128 ? 128 / of_vector : 1;
  const Index wanted = chunks > 1 ? Index{block} : std::max(of_line, parts_of(vectors, wave));
  const auto tile = static_cast<unsigned>(std::min({vectors, wanted, Index{block}}));
  const Tiling tiling{parts_of(vectors, tile), parts_of(columns.length, chunks), tile,
                      block / tile};
  const Index depth = parts_of(tiling.chunk, tiling.at_once) + log_of(tiling.at_once);
  f(Kernel{x, columns, tiling, result, op, identity, block},
    League{tiling.across * chunks, block, aligned_bytes<A>(Kernel::wide * block),
           static_cast<std::size_t>(depth),
           static_cast<std::size_t>(columns.count * columns.length) * Access<In>::bytes,
           static_cast<std::size_t>(columns.count * chunks) * sizeof(A)});
}

/// Calls `f(kernel, league)` with each launch over columns. Row chunks supply enough teams for the
/// device; a second launch combines their partials, a matrix with the same columns.
/// `blocks(Threads<n>{})`: a block of n leaves.
template <class In, class A, class Op, class Identity, class Blocks, class F>
void with_column_tiles(const In& x, const RowsOf& columns, const Blocks& blocks, Index wave,
                       const Partials& room, A* result, const Op& op, const Identity& identity,
                       F&& f) {
  const auto launch = [&](const auto& input, const RowsOf& of, Index chunks, A* to) {
    constexpr unsigned leaves =
        leaves_for(sizeof(A) * Access<std::remove_cvref_t<decltype(input)>>::width);
    with_tiles(input, of, blocks(Threads<leaves>{}), wave, chunks, to, op, identity, f);
  };
  const auto in_width = [&](const auto& from, Index pitch, auto&& next) {
    const bool whole =
        columns.count % Index{Access<std::remove_cvref_t<decltype(from)>>::width} == 0;
    in_its_width(from, whole ? columns.count : 0, pitch, next);
  };
  in_width(x, columns.pitch, [&](const auto& input) {
    constexpr unsigned wide = Access<std::remove_cvref_t<decltype(input)>>::width;
    const Index vectors = columns.count / wide, block = leaves_for(sizeof(A) * wide);
    const Index across = parts_of(vectors, block);
    const Index at_once = std::max<Index>(1, block / vectors);
    const Index most = std::min(parts_of(columns.length, at_once * 2 * loop_steps),
                                room.count<A>() / columns.count);
    const Index wanted = std::clamp<Index>(wave / across, 1, std::max<Index>(1, most));
    const Index chunk = std::max<Index>(1, parts_of(columns.length, wanted));
    const Index chunks = std::max<Index>(1, parts_of(columns.length, chunk));
    if (chunks == 1) return launch(input, columns, 1, result);
    launch(input, columns, chunks, room.as<A>());
    const A* const partial = room.as<A>();
    in_width(partial, columns.count, [&](const auto& partials) {
      launch(partials, RowsOf{columns.count, chunks, columns.count}, 1, result);
    });
  });
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
