#pragma once

// Batched reductions on a host: one single-threaded team per thread with an equal share of the
// work, in loops that the compiler vectorizes.

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "ladder/kokkos/detail/chains.hpp"
#include "ladder/kokkos/detail/kokkos_batch.hpp"
#include "ladder/kokkos/detail/kokkos_shares.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Reduces n elements from `first` on, in independent chains.
template <unsigned chains, class A, class In, class Op>
KOKKOS_FUNCTION A fold_chains(const In& x, Index first, Index n, const Op& op, const A& identity) {
  Cell<A> chain[chains];
  for (unsigned c = 0; c < chains; ++c) chain[c].value = identity;
  Index i = 0;
  for (; i + chains <= n; i += chains)
    for (unsigned c = 0; c < chains; ++c)
      chain[c].value = op(chain[c].value, static_cast<A>(x[first + i + c]));
  for (unsigned half = chains / 2; half > 0; half /= 2)
    for (unsigned c = 0; c < half; ++c) chain[c].value = op(chain[c].value, chain[c + half].value);
  A all = chain[0].value;
  for (; i < n; ++i) all = op(all, static_cast<A>(x[first + i]));
  return all;
}
/// True if the operation is computed on bits (detail/chains.hpp).
template <class Op, class A>
inline constexpr bool is_extreme_of_bits = HasBits<A> && (std::is_same_v<Op, Minimum> ||
                                                          std::is_same_v<Op, Maximum>);
/// Reduces n elements with as many chains as pay off.
template <class A, class In, class Op>
KOKKOS_FUNCTION A fold_on_host(const In& x, Index first, Index n, const Op& op, const A& identity) {
  if constexpr (is_extreme_of_bits<Op, A>) {
    constexpr int chains = 32;
    if (n >= 8 * chains) {
      Chains<Op, A, chains> by(identity);
      const Index whole = n - n % chains;
      for (Index i = first; i < first + whole; i += chains)
        for (int c = 0; c < chains; ++c) by.take(op, 0, c, static_cast<A>(x[i + c]));
      return op(by.all(op, identity), fold_chains<1>(x, first + whole, n - whole, op, identity));
    }
  }
  if (n >= 1024) return fold_chains<64>(x, first, n, op, identity);
  if (n >= 128) return fold_chains<16>(x, first, n, op, identity);
  if (n >= 16) return fold_chains<8>(x, first, n, op, identity);
  return fold_chains<1>(x, first, n, op, identity);
}

/// Rows; few long rows are split into `parts` parts each.
template <class In, class A, class Op, class Identity>
struct RowsOnHost {
  In x;
  RowsOf rows;
  Index parts;
  A* partial;
  unsigned* ticket;
  A* result;
  Op op;
  Identity identity;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const A none = identity;
    const Share mine = share_of(rows.count * parts, team.league_rank(), team.league_size());
    if (parts == 1) {
      Index g = mine.begin;
      if (rows.length < 32)
        for (; g + at_once <= mine.end; g += at_once) fold_short_rows(g);
      for (; g < mine.end; ++g) result[g] = fold_on_host(x, g * rows.pitch, rows.length, op, none);
      return;
    }
    for (Index i = mine.begin; i < mine.end; ++i) {
      const Share part = share_of(rows.length, i % parts, parts);
      partial[i] =
          fold_on_host(x, i / parts * rows.pitch + part.begin, part.end - part.begin, op, none);
    }
    if (!is_last(team, ticket)) return;
    for (Index g = 0; g < rows.count; ++g)
      result[g] = fold_chains<1>(partial, g * parts, parts, op, none);
  }

 private:
  static constexpr Index at_once = 4;
  /// Reduces the rows from g on, a chain each: a short row has too few elements for several.
  KOKKOS_FUNCTION void fold_short_rows(Index g) const {
    Cell<A> chain[at_once];
    for (auto& one : chain) one.value = identity;
    for (Index i = 0; i < rows.length; ++i)
      for (Index r = 0; r < at_once; ++r)
        chain[r].value = op(chain[r].value, static_cast<A>(x[(g + r) * rows.pitch + i]));
    for (Index r = 0; r < at_once; ++r) result[g + r] = chain[r].value;
  }
};

/// Columns per tile.
inline constexpr Index columns_of_a_tile = 2048;

/// Element-wise accumulators.
template <class Op, class A>
class Tile {
 public:
  KOKKOS_FUNCTION explicit Tile(const A& identity) {
    for (auto& cell : values_) cell.value = identity;
  }
  KOKKOS_FUNCTION void take(const Op& op, int, Index c, const A& a) {
    values_[c].value = op(values_[c].value, a);
  }
  KOKKOS_FUNCTION const A& one(Index c) const { return values_[c].value; }

 private:
  Cell<A> values_[columns_of_a_tile];
};
template <class Op, class A>
requires is_extreme_of_bits<Op, A>
class Tile<Op, A> : public Chains<Op, A, columns_of_a_tile> {
  using Chains<Op, A, columns_of_a_tile>::Chains;
};

/// Tiles of columns; few tiles are split into row chunks.
template <class In, class A, class Op, class Identity>
struct ColumnsOnHost {
  In x;
  RowsOf columns;
  Index chunks;
  A* partial;  ///< one row of all columns per chunk
  unsigned* ticket;
  A* result;
  Op op;
  Identity identity;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index tiles = parts_of(columns.count, columns_of_a_tile);
    const Share mine = share_of(tiles * chunks, team.league_rank(), team.league_size());
    A* const to = chunks == 1 ? result : partial;
    for (Index i = mine.begin; i < mine.end; ++i) {
      const Index chunk = i / tiles, first = (i - chunk * tiles) * columns_of_a_tile;
      const Index there = columns.count - first;
      fold_tile(first, there < columns_of_a_tile ? there : columns_of_a_tile,
                share_of(columns.length, chunk, chunks), to + chunk * columns.count + first);
    }
    if (chunks == 1 || !is_last(team, ticket)) return;
    for (Index g = 0; g < columns.count; ++g) {
      A all = partial[g];
      for (Index k = 1; k < chunks; ++k) all = op(all, partial[k * columns.count + g]);
      result[g] = all;
    }
  }

 private:
  /// Contiguous rows that fit a tile together are treated as one long row. Two rows are read at
  /// once: a core waits less for memory, and loads the accumulators half as often.
  KOKKOS_FUNCTION void fold_tile(Index first, Index some, const Share& rows, A* to) const {
    const Index together = columns.pitch == some ? columns_of_a_tile / some : 1;
    const Index all = together * some;
    Tile<Op, A> tile{static_cast<A>(identity)};
    const auto take = [&](Index at, Index count) {
      for (Index c = 0; c < count; ++c) tile.take(op, 0, c, static_cast<A>(x[at + c]));
    };
    const Index step = together * columns.pitch;
    Index row = rows.begin, at = row * columns.pitch + first;
    for (; row + 2 * together <= rows.end; row += 2 * together, at += 2 * step) {
      for (Index c = 0; c < all; ++c) {
        tile.take(op, 0, c, static_cast<A>(x[at + c]));
        tile.take(op, 0, c, static_cast<A>(x[at + step + c]));
      }
    }
    for (; row + together <= rows.end; row += together, at += step) take(at, all);
    for (; row < rows.end; ++row, at += columns.pitch) take(at, some);
    for (Index c = 0; c < some; ++c) {
      A value = tile.one(c);
      for (Index k = 1; k < together; ++k) value = op(value, tile.one(k * some + c));
      to[c] = value;
    }
  }
};

/// Segments split into equal shares of the elements. Elements before the first segment of a share
/// belong to the last segment that begins before it.
template <class In, class Offset, class A, class Op, class Identity>
struct SegmentsOnHost {
  In x;
  Segments<Offset> all;
  A* carried;
  unsigned* ticket;
  A* result;
  Op op;
  Identity identity;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const A none = identity;
    const Index teams = team.league_size(), me = team.league_rank();
    const Share mine = share_of(all.n, me, teams);
    Index s = me == 0 ? 0 : first_from(mine.begin);
    const Index last = me + 1 == teams ? all.count : first_from(mine.end);
    const Index begin = s < last ? offset(s) : mine.end;
    carried[me] = fold_on_host(x, mine.begin, begin - mine.begin, op, none);
    for (; s < last; ++s) {
      const Index stop = offset(s + 1) < mine.end ? offset(s + 1) : mine.end;
      result[s] = fold_on_host(x, offset(s), stop - offset(s), op, none);
    }
    if (!is_last(team, ticket)) return;
    for (Index t = 1; t < teams; ++t) {
      const Index behind = first_from(share_of(all.n, t, teams).begin);
      if (behind > 0) result[behind - 1] = op(result[behind - 1], carried[t]);
    }
  }

 private:
  KOKKOS_FUNCTION Index offset(Index s) const { return static_cast<Index>(all.offsets[s]); }
  /// First segment that begins at or after `element`.
  KOKKOS_FUNCTION Index first_from(Index element) const {
    Index first = 0;
    for (Index left = all.count; left > 0;) {
      const Index half = left / 2;
      const bool before = offset(first + half) < element;
      first = before ? first + half + 1 : first;
      left = before ? left - half - 1 : half;
    }
    return first;
  }
};

/// League of single-threaded teams for `items` work items.
inline League on_threads(Index items, Index threads, Index depth) {
  return {std::clamp<Index>(items, 1, threads), 1, 0, static_cast<std::size_t>(depth)};
}

/// Calls `f(kernel, league)` with one launch over rows.
template <class In, class A, class Op, class Identity, class F>
void with_rows_on_host(const In& x, const RowsOf& rows, Index threads, const Partials& room,
                       A* result, const Op& op, const Identity& identity, F&& f) {
  const Index most = std::min(rows.length / 4096, room.count<A>() / rows.count);
  const Index several = std::clamp<Index>(4 * threads / rows.count, 1, std::max<Index>(1, most));
  f(RowsOnHost<In, A, Op, Identity>{x, rows, several, room.as<A>(), room.ticket, result, op,
                                    identity},
    on_threads(rows.count * several, threads, rows.length / several / 16 + 96 + several));
}

/// The same over columns.
template <class In, class A, class Op, class Identity, class F>
void with_columns_on_host(const In& x, const RowsOf& columns, Index threads, const Partials& room,
                          A* result, const Op& op, const Identity& identity, F&& f) {
  const Index tiles = parts_of(columns.count, columns_of_a_tile);
  const Index most = std::min(columns.length / 64, room.count<A>() / columns.count);
  const Index wanted = tiles >= 4 * threads ? 1 : parts_of(threads, tiles);
  const Index chunks = std::clamp<Index>(wanted, 1, std::max<Index>(1, most));
  f(ColumnsOnHost<In, A, Op, Identity>{x, columns, chunks, room.as<A>(), room.ticket, result, op,
                                       identity},
    on_threads(tiles * chunks, threads, columns.length + chunks));
}

/// The same over segments of at most `longest` elements.
template <class In, class Offset, class A, class Op, class Identity, class F>
void with_segments_on_host(const In& x, const Segments<Offset>& segments, Index longest,
                           Index threads, const Partials& room, A* result, const Op& op,
                           const Identity& identity, F&& f) {
  const Index most = std::min(threads, room.count<A>());
  f(SegmentsOnHost<In, Offset, A, Op, Identity>{x, segments, room.as<A>(), room.ticket, result, op,
                                                identity},
    on_threads(segments.n, most, std::min(longest, segments.n) / 16 + 96 + threads));
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
