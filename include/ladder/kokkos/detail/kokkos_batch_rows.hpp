#pragma once

// Rows on GPUs, by vector lanes or by whole teams.

#include <algorithm>
#include <cstddef>

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// A thread's vector lanes take one row, or `at_once` rows. A single row may begin anywhere: it is
/// split at its first and last 16-byte boundary.
template <class In, class A, class Op, class Identity, class Block, unsigned width_of_row,
          unsigned at_once>
struct ByLanes {
  static constexpr unsigned vector_length = width_of_row, resident = resident_for<A>;
  static constexpr unsigned width = Access<In>::width;
  In x;
  RowsOf rows;
  A* result;
  Op op;
  Identity identity;
  Block block;

  /// The rows of a thread are one team apart: adjacent threads read adjacent rows and write
  /// adjacent results.
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using Each = Several<A, at_once>;
    const unsigned vectors = block / vector_length;
    const Index before = Index{team.league_rank()} * vectors * at_once;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, vectors), [&](unsigned me) {
      const Index first = before + me;
      if (first >= rows.count) return;
      Each whole;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, vector_length),
          [&](unsigned lane, Each& mine) { fold_rows(first, vectors, lane, mine); },
          IntoSeveral<A, at_once, Op, Identity>(whole, op, identity));
      Kokkos::single(Kokkos::PerThread(team), [&] {
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < at_once; ++k)
          if (const Index g = first + k * vectors; g < rows.count) result[g] = whole.at[k].value;
      });
    });
  }

 private:
  /// A lane's part of one row, which may begin anywhere.
  KOKKOS_FUNCTION void fold_rows(Index g, unsigned, unsigned lane, Several<A, 1>& mine) const {
    const In row = advanced(x, g * rows.pitch);
    const Split cut = split(row, rows.length);
    fold_each(row, lane, cut.head, mine.at[0].value);
    fold_each(advanced(row, cut.tail), lane, rows.length - cut.tail, mine.at[0].value);
    fold_vectors(advanced(row, cut.head), lane, cut.vectors, vector_length, op, mine.at[0].value);
  }
  /// A lane's part of several short rows that begin at boundaries. Rows beyond the end repeat the
  /// last one.
  template <unsigned several>
  KOKKOS_FUNCTION void fold_rows(Index first, unsigned apart, unsigned lane,
                                 Several<A, several>& mine) const {
    const auto row = [&](unsigned k) {
      const Index g = first + k * apart;
      return advanced(x, (g < rows.count ? g : rows.count - 1) * rows.pitch);
    };
    const auto length = static_cast<unsigned>(rows.length), vectors = length / width;
    LADDER_REDUCE_STEP_BY_STEP
    for (unsigned v = lane; v < vectors; v += vector_length) {
      Loaded<In, A> loaded[several];
      LADDER_REDUCE_UNROLLED
      for (unsigned k = 0; k < several; ++k) loaded[k].load(row(k), v);
      LADDER_REDUCE_UNROLLED
      for (unsigned k = 0; k < several; ++k)
        mine.at[k].value = op(mine.at[k].value, value_of(loaded[k], op));
    }
    LADDER_REDUCE_STEP_BY_STEP
    for (unsigned i = vectors * width + lane; i < length; i += vector_length) {
      LADDER_REDUCE_UNROLLED
      for (unsigned k = 0; k < several; ++k)
        mine.at[k].value = op(mine.at[k].value, static_cast<A>(row(k)[i]));
    }
  }
  /// A lane's part of fewer elements than a vector holds.
  KOKKOS_FUNCTION void fold_each(const In& from, unsigned lane, Index n, A& mine) const {
    LADDER_REDUCE_STEP_BY_STEP
    for (unsigned i = lane; i < n; i += vector_length) mine = op(mine, static_cast<A>(from[i]));
  }
};

/// Calls `f(kernel, league)` with a launch of 1 to 32 lanes per row, by the row's vectors. Several
/// rows are in flight per thread if they begin at boundaries and have at most two loads per lane.
template <class In, class A, class Op, class Identity, class Block, class F>
void with_lanes(const In& x, const RowsOf& rows, Block block, A* result, const Op& op,
                const Identity& identity, F&& f) {
  constexpr Index width = Access<In>::width;
  const Index vectors = parts_of(rows.length, width);
  const bool several = sizeof(A) <= 8 && vectors <= 64 && rows_begin_at_boundaries(x, rows.pitch);
  const auto launch = [&]<unsigned width_of_row, unsigned at_once>() {
    const Index of_a_team = Index{block / width_of_row} * at_once;
    const Index depth = (parts_of(vectors, width_of_row) + 2) * width + log_of(width_of_row);
    f(ByLanes<In, A, Op, Identity, Block, width_of_row, at_once>{x, rows, result, op, identity,
                                                                 block},
      League{parts_of(rows.count, of_a_team), block, 0, static_cast<std::size_t>(depth)});
  };
  const auto by = [&]<unsigned width_of_row>() {
    if constexpr (sizeof(A) <= 8) {
      constexpr unsigned at_once = sizeof(A) <= 4 && !is_transformed<In> ? 8 : 4;
      if (several) return launch.template operator()<width_of_row, at_once>();
    }
    launch.template operator()<width_of_row, 1>();
  };
  if (vectors > 16) return by.template operator()<32>();
  if (vectors > 8) return by.template operator()<16>();
  if (vectors > 4) return by.template operator()<8>();
  if (vectors > 2) return by.template operator()<4>();
  by.template operator()<1>();
}

/// A team takes one of `parts` parts of a row. The last team to finish combines the partials of
/// every row, in their order.
template <class In, class A, class Op, class Identity, class Block>
struct ByTeams {
  static constexpr unsigned vector_length = lanes, resident = resident_for<A>;
  In x;
  RowsOf rows;
  Index parts, part;  ///< parts per row; elements per part
  A* partial;
  unsigned* ticket;
  A* result;
  Op op;
  Identity identity;
  Block block;

  static constexpr std::size_t scratch_bytes(unsigned block) {
    return aligned_bytes<A>(block / lanes) + aligned_bytes<unsigned>(1);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = aligned_memory<A>(team, block / lanes);
    unsigned* const drawn = aligned_memory<unsigned>(team, 1);
    const Index me = team.league_rank(), g = me / parts, begin = (me - g * parts) * part;
    const Index left = rows.length - begin, n = left < 0 ? 0 : left < part ? left : part;
    const In mine_of = advanced(x, g * rows.pitch + begin);
    const A all = reduce_leaves(team, block, tile, op, identity, [&](unsigned leaf, A& mine) {
      fold_share(mine_of, n, leaf, block, op, mine);
    });
    if (parts == 1) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { result[g] = all; });
      return;
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      partial[me] = all;
      *drawn = draw(ticket);
    });
    team.team_barrier();
    if (*drawn != static_cast<unsigned>(team.league_size()) - 1) return;
    join(team);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *ticket = 0; });
  }

 private:
  /// A leaf combines a row; the lanes of one thread do if rows are few.
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team) const {
    const auto take = [&](Index g, unsigned leaf, unsigned leaves, A& mine) {
      const A* const of_row = partial + g * parts;
      Index p = leaf;
      LADDER_REDUCE_BY_FOUR
      for (Index k = steps_of(p, parts, leaves); k > 0; --k, p += leaves)
        mine = op(mine, of_row[p]);
    };
    if (rows.count < lanes) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows.count), [&](Index g) {
        const A all = reduce_lanes<A>(team, lanes, op, identity,
                                      [&](unsigned lane, A& mine) { take(g, lane, lanes, mine); });
        Kokkos::single(Kokkos::PerThread(team), [&] { result[g] = all; });
      });
      return;
    }
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      for (Index g = leaf; g < rows.count; g += block) {
        A all = identity;
        take(g, 0, 1, all);
        result[g] = all;
      }
    });
  }
};

/// Calls `f(kernel, league)` with a launch of at least one team per row. Few rows get enough teams
/// for one `wave` of resident teams. More rows than that get about four waves, so that the last one
/// leaves few SMs idle.
template <class In, class A, class Op, class Identity, class Block, class F>
void with_teams(const In& x, const RowsOf& rows, Block block, Index wave, const Partials& room,
                A* result, const Op& op, const Identity& identity, F&& f) {
  constexpr Index width = Access<In>::width;
  const Index wanted = rows.count <= wave ? wave / rows.count : parts_of(4 * wave, rows.count);
  const Index most = std::min(parts_of(rows.length, loop_steps * Index{block} * width),
                              room.count<A>() / rows.count);
  const Index several = std::clamp<Index>(wanted, 1, std::max<Index>(1, most));
  // Parts begin at cache lines if rows do.
  const Index part = parts_of(parts_of(rows.length, several), 8 * width) * 8 * width;
  using Kernel = ByTeams<In, A, Op, Identity, Block>;
  const Index joined = several == 1         ? 0
                       : rows.count < lanes ? parts_of(several, lanes) + 8
                                            : several;
  f(Kernel{x, rows, several, part, room.as<A>(), room.ticket, result, op, identity, block},
    League{rows.count * several, block, Kernel::scratch_bytes(block),
           depth_of_share<In>(part, block) + static_cast<std::size_t>(joined)});
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
