#pragma once

// Many reductions at once on a host: one team of one thread for each thread of the space, which
// takes an equal share of the work in one go, and loops that a compiler makes vectors of.

#include "kokkos/batch_segments.hpp"

namespace ladder::kokkos {

/// n elements side by side, in chains side by side.
template <class Op, unsigned chains, class T>
KOKKOS_FUNCTION typename Op::value fold_chains(const T* x, Index n) {
  using A = typename Op::value;
  A chain[chains];
  for (unsigned c = 0; c < chains; ++c) chain[c] = Op::identity();
  Index i = 0;
  for (; i + chains <= n; i += chains)
    for (unsigned c = 0; c < chains; ++c) chain[c] = Op{}(chain[c], A(x[i + c]));
  for (unsigned half = chains / 2; half > 0; half /= 2)
    for (unsigned c = 0; c < half; ++c) chain[c] = Op{}(chain[c], chain[c + half]);
  A all = chain[0];
  for (; i < n; ++i) all = Op{}(all, A(x[i]));
  return all;
}
/// By as many chains as are worth it.
template <class Op, class T>
KOKKOS_FUNCTION typename Op::value fold_on_host(const T* x, Index n) {
  if (n >= 1024) return fold_chains<Op, 64>(x, n);
  if (n >= 128) return fold_chains<Op, 16>(x, n);
  if (n >= 16) return fold_chains<Op, 8>(x, n);
  return fold_chains<Op, 1>(x, n);
}

/// Items [begin, end) of `count` that team `me` of `teams` takes.
struct Share {
  Index begin, end;
};
KOKKOS_INLINE_FUNCTION Share share_of(Index count, Index me, Index teams) {
  const Index each = count / teams, rest = count % teams;
  const Index begin = me * each + (me < rest ? me : rest);
  return {begin, begin + each + (me < rest ? 1 : 0)};
}

/// Whether the calling team, of one thread, is the last to come here; the ticket is as before then.
template <class Team>
KOKKOS_FUNCTION bool is_last(const Team& team, unsigned* ticket) {
  if (draw(ticket) != static_cast<unsigned>(team.league_size()) - 1) return false;
  *ticket = 0;
  return true;
}

/// Rows, or where they are few and long `parts` parts of each.
template <class T, class Op>
struct RowsOnHost {
  using A = typename Op::value;
  Matrix<T, A> rows;
  Index parts;
  A* partial;
  unsigned* ticket;
  Unknown block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Share mine = share_of(rows.count * parts, team.league_rank(), team.league_size());
    if (parts == 1) {
      for (Index g = mine.begin; g < mine.end; ++g)
        rows.result[g] = fold_on_host<Op>(rows.x + g * rows.pitch, rows.length);
      return;
    }
    for (Index i = mine.begin; i < mine.end; ++i) {
      const Share part = share_of(rows.length, i % parts, parts);
      partial[i] =
          fold_on_host<Op>(rows.x + i / parts * rows.pitch + part.begin, part.end - part.begin);
    }
    if (!is_last(team, ticket)) return;
    for (Index g = 0; g < rows.count; ++g)
      rows.result[g] = fold_chains<Op, 1>(partial + g * parts, parts);
  }
};

/// Tiles of columns, or where there are few tiles chunks of their rows.
template <class T, class Op>
struct ColumnsOnHost {
  using A = typename Op::value;
  static constexpr Index tile_columns = 2048;
  Matrix<T, A> columns;
  Index chunks;
  A* partial;  ///< a row of all columns for each chunk
  unsigned* ticket;
  Unknown block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index tiles = (columns.count + tile_columns - 1) / tile_columns;
    const Share mine = share_of(tiles * chunks, team.league_rank(), team.league_size());
    for (Index i = mine.begin; i < mine.end; ++i) {
      const Index chunk = i / tiles, first = (i - chunk * tiles) * tile_columns;
      const Index there = columns.count - first;
      fold_tile(first, there < tile_columns ? there : tile_columns,
                share_of(columns.length, chunk, chunks), partial + chunk * columns.count + first);
    }
    if (chunks == 1 || !is_last(team, ticket)) return;
    for (Index g = 0; g < columns.count; ++g) {
      A all = partial[g];
      for (Index k = 1; k < chunks; ++k) all = Op{}(all, partial[k * columns.count + g]);
      columns.result[g] = all;
    }
  }

 private:
  /// Where rows lie side by side, as many as fill a tile are one long row.
  KOKKOS_FUNCTION void fold_tile(Index first, Index some, const Share& rows, A* result) const {
    const Index together = columns.pitch == some ? tile_columns / some : 1, all = together * some;
    A tile[tile_columns];
    for (Index c = 0; c < all; ++c) tile[c] = Op::identity();
    Index row = rows.begin;
    const T* at = columns.x + row * columns.pitch + first;
    for (; row + together <= rows.end; row += together, at += together * columns.pitch)
      for (Index c = 0; c < all; ++c) tile[c] = Op{}(tile[c], A(at[c]));
    for (; row < rows.end; ++row, at += columns.pitch)
      for (Index c = 0; c < some; ++c) tile[c] = Op{}(tile[c], A(at[c]));
    for (Index c = 0; c < some; ++c) {
      A value = tile[c];
      for (Index k = 1; k < together; ++k) value = Op{}(value, tile[k * some + c]);
      result[c] = value;
    }
  }
};

/// Segments that begin in an equal share of the elements, as far as they lie in it. What a team
/// finds before its first one goes to the last segment that begins before its share.
template <class T, class Op>
struct SegmentsOnHost {
  using A = typename Op::value;
  const T* x;
  const std::int64_t* offsets;
  A* result;
  Index n, count;
  A* carried;
  unsigned* ticket;
  Unknown block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index teams = team.league_size(), me = team.league_rank();
    const Share mine = share_of(n, me, teams);
    Index s = me == 0 ? 0 : first_from(mine.begin);
    const Index last = me + 1 == teams ? count : first_from(mine.end);
    const Index begin = s < last ? offsets[s] : mine.end;
    carried[me] = fold_on_host<Op>(x + mine.begin, begin - mine.begin);
    for (; s < last; ++s) {
      const Index stop = offsets[s + 1] < mine.end ? offsets[s + 1] : mine.end;
      result[s] = fold_on_host<Op>(x + offsets[s], stop - offsets[s]);
    }
    if (!is_last(team, ticket)) return;
    for (Index t = 1; t < teams; ++t) {
      const Index behind = first_from(share_of(n, t, teams).begin);
      if (behind > 0) result[behind - 1] = Op{}(result[behind - 1], carried[t]);
    }
  }

 private:
  /// The first segment that begins at this element or later.
  KOKKOS_FUNCTION Index first_from(Index element) const {
    return count_less(count, element, [&](Index s) { return offsets[s]; });
  }
};

/// One launch over the groups of whatever kind.
template <class Case>
void on_host_threads(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  const Groups& groups = problem.groups;
  const std::size_t threads = queue.concurrency();
  const auto matrix = matrix_of(problem);
  const auto launch = [&](const auto& kernel, std::size_t items, std::size_t partials,
                          std::size_t depth) {
    Pass pass = groups_pass(problem, depth);
    pass += Pass{partials * sizeof(A), partials * sizeof(A), 0};
    queue.launch(kernel, Shape{std::min(items, threads), 1, 0}, pass);
  };
  const auto several = [&](std::size_t most) {  // where there are too few groups for all threads
    return std::clamp<std::size_t>(4 * threads / groups.count, 1, std::max<std::size_t>(1, most));
  };
  switch (groups.by) {
    case Grouping::columns: {
      using Kernel = ColumnsOnHost<T, Op>;
      const std::size_t tiles = ceil_div(groups.count, Kernel::tile_columns);
      const std::size_t most = std::max<std::size_t>(1, groups.length / 64);
      const std::size_t chunks =
          tiles >= 4 * threads ? 1 : std::min(most, ceil_div(threads, tiles));
      const std::size_t partials = chunks == 1 ? 0 : chunks * groups.count;
      A* const partial = chunks == 1 ? problem.result : queue.scratch<A>(partials);
      return launch(Kernel{matrix, static_cast<Index>(chunks), partial, queue.ticket(), Unknown{1}},
                    tiles * chunks, partials, groups.length + chunks);
    }
    case Grouping::segments: {
      A* const carried = queue.scratch<A>(threads);
      return launch(SegmentsOnHost<T, Op>{problem.input, groups.offsets, problem.result,
                                          static_cast<Index>(problem.n), matrix.count, carried,
                                          queue.ticket(), Unknown{1}},
                    problem.n, threads, std::min(groups.length, problem.n) / 16 + 96 + threads);
    }
    default:
      break;
  }
  const std::size_t parts = several(groups.length / 4096);
  const std::size_t partials = parts == 1 ? 0 : parts * groups.count;
  A* const partial = parts == 1 ? nullptr : queue.scratch<A>(partials);
  launch(RowsOnHost<T, Op>{matrix, static_cast<Index>(parts), partial, queue.ticket(), Unknown{1}},
         groups.count * parts, partials, groups.length / parts / 16 + 96 + parts);
}

}  // namespace ladder::kokkos
