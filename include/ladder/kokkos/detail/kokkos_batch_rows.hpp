#pragma once

// Rows on GPUs, by vector lanes or by whole teams.

#include <algorithm>
#include <cstddef>

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// The vector lanes of a thread take one row, which may begin anywhere: it is split at its first
/// and last 16-byte boundary.
template <unsigned lanes_of_row, class In, class A, class Op, class Identity, class Block>
struct ByLanes {
  static constexpr unsigned vector_length = lanes_of_row, resident = resident_for<A>;
  In x;
  RowsOf rows;
  A* result;
  Op op;
  Identity identity;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned threads = block / vector_length;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](unsigned me) {
      const Index g = Index{team.league_rank()} * threads + me;
      if (g >= rows.count) return;
      const In row = x + g * rows.pitch;
      const A all = reduce_lanes<A>(team, vector_length, op, identity, [&](unsigned lane, A& mine) {
        fold_share(row, rows.length, lane, vector_length, op, mine);
      });
      Kokkos::single(Kokkos::PerThread(team), [&] { result[g] = all; });
    });
  }
};

/// Calls `f(kernel, league)` with a launch of `lanes_of_row` lanes per row.
template <unsigned lanes_of_row, class In, class A, class Op, class Identity, class Block, class F>
void with_lanes(const In& x, const RowsOf& rows, Block block, A* result, const Op& op,
                const Identity& identity, F&& f) {
  f(ByLanes<lanes_of_row, In, A, Op, Identity, Block>{x, rows, result, op, identity, block},
    League{parts_of(rows.count, block / lanes_of_row), block, 0,
           depth_of_share<In>(rows.length, lanes_of_row)});
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
    const In mine_of = x + (g * rows.pitch + begin);
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
    for_leaves(team, block, [&](unsigned leaf) {
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
