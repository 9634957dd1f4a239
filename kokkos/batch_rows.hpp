#pragma once

// Rows, for the rungs that read them in vectors of 16 bytes: by some lanes each, or by whole teams.

#include <bit>

#include "common/gpu/atomics.hpp"
#include "kokkos/batch.hpp"

namespace ladder::kokkos {

/// Each row has a vector of lanes, each vector of lanes `at_once` rows: one that begins anywhere,
/// and is cut into what lies before its first boundary of 16 bytes, vectors, and the rest; or
/// several.
template <class T, class Op, class Block, unsigned width_of_row, unsigned at_once>
struct ByLanes {
  using A = typename Op::value;
  static constexpr unsigned vector_length = width_of_row;
  static constexpr unsigned in_turn = width_of_row;
  static constexpr unsigned resident = batch_resident;
  Matrix<T, A> rows;
  Block block;

  /// Rows of a vector's are as far from each other as the team has vectors: neighbouring vectors
  /// read, and write the results of, neighbouring rows.
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned vectors = block / vector_length;
    const Index before = Index{team.league_rank()} * vectors * at_once;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, vectors), [&](unsigned me) {
      const Index first = before + me;
      if (first >= rows.count) return;
      using Each = Beside<Op, at_once>;
      typename Each::value whole;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, vector_length),
          [&](unsigned lane, typename Each::value& mine) { fold_rows(first, vectors, lane, mine); },
          Into<Each>(whole));
      Kokkos::single(Kokkos::PerThread(team), [&] {
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < at_once; ++k)
          if (const Index g = first + k * vectors; g < rows.count) rows.result[g] = whole.at[k];
      });
    });
  }

 private:
  /// What a lane has of its row, which begins anywhere.
  KOKKOS_FUNCTION void fold_rows(Index g, unsigned, unsigned lane, Several<A, 1>& mine) const {
    const T* const row = rows.x + g * rows.pitch;
    const Split cut = split(row, rows.length);
    const auto* const at = reinterpret_cast<const Vector<T>*>(row + cut.head);
    fold_each(row, lane, cut.head, mine.at[0]);
    fold_each(row + cut.tail, lane, rows.length - cut.tail, mine.at[0]);
    Index v = lane;
    LADDER_UNROLLED
    for (Index k = steps(v, cut.vectors, vector_length); k > 0; --k, v += vector_length)
      mine.at[0] = Op{}(mine.at[0], fold<Op, T>(at[v]));
  }
  /// What a lane has of each of several rows, which begin at boundaries and are short. Of a row
  /// that is not there it has the last one.
  template <unsigned several>
  KOKKOS_FUNCTION void fold_rows(Index first, unsigned apart, unsigned lane,
                                 Several<A, several>& mine) const {
    const T* row[several];
    LADDER_UNROLLED_WHOLE
    for (unsigned k = 0; k < several; ++k) {
      const Index g = first + k * apart;
      row[k] = rows.x + (g < rows.count ? g : rows.count - 1) * rows.pitch;
    }
    const auto length = static_cast<unsigned>(rows.length), vectors = length / width<T>;
    LADDER_STEP_BY_STEP
    for (unsigned v = lane; v < vectors; v += vector_length) {
      Vector<T> loaded[several];
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < several; ++k)
        loaded[k] = reinterpret_cast<const Vector<T>*>(row[k])[v];
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < several; ++k) mine.at[k] = Op{}(mine.at[k], fold<Op, T>(loaded[k]));
    }
    LADDER_STEP_BY_STEP
    for (unsigned i = vectors * width<T> + lane; i < length; i += vector_length) {
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < several; ++k) mine.at[k] = Op{}(mine.at[k], A(row[k][i]));
    }
  }
  /// Fewer elements than a vector has.
  static KOKKOS_FUNCTION void fold_each(const T* x, unsigned lane, Index n, A& mine) {
    LADDER_STEP_BY_STEP
    for (unsigned i = lane; i < n; i += vector_length) mine = Op{}(mine, A(x[i]));
  }
};

/// One launch, in which a row has as many lanes as it has vectors, 1 to 32. Four rows are under way
/// in each vector of lanes, where they begin at boundaries and have no more than two loads each.
template <class Case>
void by_lanes(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  using Op = typename Case::function;
  const std::size_t count = problem.groups.count;
  const std::size_t vectors = ceil_div(problem.groups.length, width<T>);
  const bool several = vectors <= 64 && rows_are_aligned(problem.input, problem.groups.pitch);
  const auto launch = [&]<unsigned width_of_row, unsigned at_once>() {
    const std::size_t depth = ceil_div(vectors, width_of_row) * width<T> + 2 * width<T> +
                              static_cast<std::size_t>(std::bit_width(width_of_row));
    with_batch_block(queue, width_of_row, [&]<class Block>(Block block) {
      queue.launch(ByLanes<T, Op, Block, width_of_row, at_once>{matrix_of(problem), block},
                   league(ceil_div(count, std::size_t{block / width_of_row} * at_once), block),
                   groups_pass(problem, depth));
    });
  };
  const auto with_lanes = [&]<unsigned width_of_row>() {
    if (several) return launch.template operator()<width_of_row, 4>();
    launch.template operator()<width_of_row, 1>();
  };
  if (vectors > 16) return with_lanes.template operator()<32>();
  if (vectors > 8) return with_lanes.template operator()<16>();
  if (vectors > 4) return with_lanes.template operator()<8>();
  if (vectors > 2) return with_lanes.template operator()<4>();
  if (vectors > 1) return with_lanes.template operator()<2>();
  with_lanes.template operator()<1>();
}

/// A team takes one of `parts` parts of a row. Where there are several, the team that ends last
/// joins the partials of all rows, those of each in their order.
template <class T, class Op, class Block>
struct ByTeams {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  static constexpr unsigned resident = batch_resident;
  Matrix<T, A> rows;
  Index parts, part;  ///< of a row; elements of each
  A* partial;
  unsigned* ticket;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const Index me = team.league_rank(), g = me / parts, begin = (me - g * parts) * part;
    const Index left = rows.length - begin, n = left < 0 ? 0 : left < part ? left : part;
    const T* const x = rows.x + g * rows.pitch + begin;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    const A all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      if (leaf < at.head) mine = Op{}(mine, A(x[leaf]));
      if (leaf < n - at.tail) mine = Op{}(mine, A(x[at.tail + leaf]));
      Index i = leaf;
      LADDER_UNROLLED
      for (Index k = steps(i, at.vectors, block); k > 0; --k, i += block)
        mine = Op{}(mine, fold<Op, T>(v[i]));
    });
    if (parts == 1) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { rows.result[g] = all; });
      return;
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      partial[me] = all;
      *drawn = draw(ticket);
    });
    team.team_barrier();
    if (*drawn != static_cast<unsigned>(team.league_size()) - 1) return;
    join(team, tile);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *ticket = 0; });
  }

 private:
  /// Few rows have many partials and the whole team each, many rows a vector of lanes.
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team, A* tile) const {
    const unsigned warps = block / lanes;
    const auto take = [&](Index g, unsigned leaf, unsigned leaves, A& mine) {
      for (Index p = leaf; p < parts; p += leaves) mine = Op{}(mine, partial[g * parts + p]);
    };
    if (rows.count < Index{warps}) {
      for (Index g = 0; g < rows.count; ++g) {
        const A all = reduce_team<Op>(team, block, tile,
                                      [&](unsigned leaf, A& mine) { take(g, leaf, block, mine); });
        Kokkos::single(Kokkos::PerTeam(team), [&] { rows.result[g] = all; });
        team.team_barrier();
      }
      return;
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows.count), [&](Index g) {
      A all = Op::identity();
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, A& mine) { take(g, lane, lanes, mine); }, Into<Op>(all));
      Kokkos::single(Kokkos::PerThread(team), [&] { rows.result[g] = all; });
    });
  }
};

/// Parts of each row, so that there are teams for the whole device: as many as are there at once,
/// or so many that the last of them to come are few beside the others.
inline std::size_t parts_of_rows(const Queue& queue, std::size_t count, std::size_t most) {
  const std::size_t wave = one_wave(queue);
  const std::size_t parts = count <= wave ? wave / count : ceil_div(4 * wave, count);
  return std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(1, most));
}

/// One launch, in which a row has at least one team.
template <class Case>
void by_teams(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  const Groups& groups = problem.groups;
  with_batch_block(queue, batch_block, [&]<class Block>(Block block) {
    const std::size_t step = std::size_t{block} * width<T>;
    const std::size_t most = ceil_div(groups.length, unrolled * step);
    const std::size_t parts = parts_of_rows(queue, groups.count, most);
    const std::size_t part = ceil_div(ceil_div(groups.length, parts), width<T>) * width<T>;
    A* const partial = parts > 1 ? queue.scratch<A>(groups.count * parts) : nullptr;
    const Layout team{.block = block, .items = width<T>, .grid = 1};
    Pass pass = groups_pass(problem, team.pass<T, A>(part).depth + 2);
    if (parts > 1) {
      const std::size_t bytes = groups.count * parts * sizeof(A);
      pass += Pass{bytes, bytes, ceil_div(parts, lanes) + 8};
    }
    queue.launch(ByTeams<T, Op, Block>{matrix_of(problem), static_cast<Index>(parts),
                                       static_cast<Index>(part), partial, queue.ticket(), block},
                 league(groups.count * parts, block,
                        whole_words<A>(block / lanes) * sizeof(A) + sizeof(std::uint64_t)),
                 pass);
  });
}

}  // namespace ladder::kokkos
