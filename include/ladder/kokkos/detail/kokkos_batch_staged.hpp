#pragma once

// Short rows on GPUs: a team copies a tile of rows to team scratch and reduces them there.

#include <algorithm>
#include <bit>

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Bytes of a tile of rows; its elements per thread and in all. Elements too large for one per
/// thread are not staged.
inline constexpr std::size_t staged_bytes = 32 * 1024;
template <class T>
inline constexpr unsigned staged_each = std::max<std::size_t>(1, staged_bytes / batch_block /
                                                                     sizeof(T));
template <class T>
inline constexpr unsigned staged_elements = staged_each<T>* batch_block;
/// Threads per row, at most. One thread combines their values. Large ones would not fit scratch.
template <class A>
inline constexpr unsigned most_threads = sizeof(A) <= 16 ? 16 : 1;

/// 2^log_threads threads take each row of the team's tile. `staged`: they read it in team scratch;
/// otherwise in place. `by_vectors`: all rows are whole vectors and begin at their boundaries.
template <bool staged, class In, class A, class Op, class Identity, class Block>
struct StagedRows {
  static constexpr unsigned vector_length = 1, resident = resident_for<A>;
  using Element = Staged<In, A>;
  static constexpr unsigned each = staged_each<Element>, width = Access<const Element*>::width;
  In x;
  RowsOf rows;
  bool by_vectors;
  unsigned of_a_team, log_threads;
  A* result;
  Op op;
  Identity identity;
  Block block;

  static constexpr std::size_t scratch_bytes(unsigned block) {
    return (staged ? aligned_bytes<Element>(staged_elements<Element> + width) : 0) +
           (most_threads<A> > 1 ? aligned_bytes<A>(block) : 0);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = Index{team.league_rank()} * of_a_team, left = rows.count - first;
    const unsigned mine = left < of_a_team ? static_cast<unsigned>(left) : of_a_team;
    const In from = x + first * rows.pitch;
    if constexpr (staged) {
      const auto extent = static_cast<unsigned>((mine - 1) * rows.pitch + rows.length);
      const Element* const tile = stage(team, from, extent);
      team.team_barrier();
      fold_rows(team, tile, mine, result + first);
    } else {
      fold_rows(team, from, mine, result + first);
    }
  }

 private:
  /// Copies n elements to team scratch; returns the address of the first. A barrier must follow.
  template <class Team>
  KOKKOS_FUNCTION const Element* stage(const Team& team, const In& from, unsigned n) const {
    Element* const memory = aligned_memory<Element>(team, staged_elements<Element> + width);
    if constexpr (is_staged_in_vectors<In>) {
      using Vector = typename Access<In>::Vector;
      const auto at = reduce_detail::split(from, n);
      Element* const to = memory + past_boundary(from);
      const auto* const source = reinterpret_cast<const Vector*>(from + at.head);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, unsigned{block}), [&](unsigned leaf) {
        if (leaf < at.head) to[leaf] = from[leaf];
        if (leaf < n - at.tail) to[at.tail + leaf] = from[at.tail + leaf];
        if (at.vectors > 0)
          copy_vectors<each / width, 0, batch_block>(source, to + at.head, leaf, at.vectors);
      });
      return to;
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, unsigned{block}), [&](unsigned leaf) {
        Room<Element> loaded[each];
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < each; ++k) {
          const unsigned i = leaf + k * batch_block;
          loaded[k].value = static_cast<Element>(from[i < n ? i : n - 1]);
        }
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < each; ++k) memory[leaf + k * batch_block] = loaded[k].value;
      });
      return memory;
    }
  }

  /// Reduces `count` rows.
  template <class Team, class From>
  KOKKOS_FUNCTION void fold_rows(const Team& team, const From& from, unsigned count, A* to) const {
    const unsigned threads = 1U << log_threads;
    const auto length = static_cast<unsigned>(rows.length);
    const auto fold = [&](unsigned leaf) {
      const unsigned g = leaf >> log_threads, me = leaf & (threads - 1);
      const auto row = from + g * rows.pitch;
      if constexpr (staged && width > 1) {
        if (by_vectors) {
          return fold_row(g, me, length / width, [&](unsigned i) {
            Loaded<const Element*, A> loaded;
            loaded.load(row, i);
            return reduce_detail::value_of(loaded, op);
          });
        }
      }
      return fold_row(g, me, length, [&](unsigned i) { return static_cast<A>(row[i]); });
    };
    if (log_threads == 0) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count),
                           [&](unsigned g) { to[g] = fold(g); });
      return;
    }
    A* const partial = aligned_memory<A>(team, block);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count << log_threads),
                         [&](unsigned leaf) { partial[leaf] = fold(leaf); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](unsigned g) {
      const A* const of_row = partial + (g << log_threads);
      A all = of_row[0];
      for (unsigned k = 1; k < threads; ++k) all = op(all, of_row[k]);
      to[g] = all;
    });
  }

  /// Every 2^log_threads-th value of row g, which has `count` > `me`, from `me` on. In rows of even
  /// length, which share banks, neighbours begin at different places and return to `me` at the end.
  template <class Value>
  KOKKOS_FUNCTION A fold_row(unsigned g, unsigned me, unsigned count, const Value& value) const {
    const unsigned threads = 1U << log_threads, steps = (count - me + threads - 1) >> log_threads;
    unsigned i = me;
    if (count % 2 == 0) i += (g % steps) << log_threads;
    A mine = identity;
    LADDER_REDUCE_BY_FOUR
    for (unsigned k = steps; k > 0; --k) {
      mine = op(mine, value(i));
      i = i + threads < count ? i + threads : me;
    }
    return mine;
  }
};

/// True if a tile holds a row, and an element for each thread.
template <class In, class A>
bool can_be_staged(const RowsOf& rows) {
  using Element = Staged<In, A>;
  return sizeof(Element) * batch_block <= staged_bytes && rows.length > 0 &&
         rows.length <= Index{staged_elements<Element>};
}

/// How teams share such rows. `in_place`: their gaps exceed them, so that scratch would hold more
/// gaps than elements.
struct Staging {
  bool in_place, by_vectors;
  Index of_a_team;
  unsigned log_threads;
};
template <class In, class A>
Staging staging_of(const In& x, const RowsOf& rows, Index wave) {
  using Element = Staged<In, A>;
  constexpr Index width = Access<const Element*>::width, most = most_threads<A>;
  const bool in_place = rows.pitch > 2 * rows.length;
  const bool by_vectors = is_staged_in_vectors<In> && !in_place && rows.length % width == 0 &&
                          rows_begin_at_boundaries(x, rows.pitch);
  const Index fitting =
      (Index{staged_elements<Element>} - rows.length) / (in_place ? rows.length : rows.pitch) + 1;
  const Index of_a_team = std::min(fitting, parts_of(rows.count, wave));
  const Index spare = batch_block / std::min<Index>(of_a_team, batch_block);
  const Index of_row = by_vectors ? rows.length / width : rows.length;
  return {in_place, by_vectors, of_a_team, log_of(std::min({spare, most, of_row})) - 1};
}

/// Calls `f(kernel, league)` with one launch over such rows.
template <bool staged, class In, class A, class Op, class Identity, class Block, class F>
void launch_staged(const In& x, const RowsOf& rows, Block block, const Staging& by, A* result,
                   const Op& op, const Identity& identity, F&& f) {
  using Kernel = StagedRows<staged, In, A, Op, Identity, Block>;
  const Index read =
      staged ? (rows.count - 1) * rows.pitch + rows.length : rows.count * rows.length;
  const Index threads = Index{1} << by.log_threads,
              depth = parts_of(rows.length, threads) + threads;
  f(Kernel{x, rows, by.by_vectors, static_cast<unsigned>(by.of_a_team), by.log_threads, result, op,
           identity, block},
    League{parts_of(rows.count, by.of_a_team), block, Kernel::scratch_bytes(block),
           static_cast<std::size_t>(depth), static_cast<std::size_t>(read) * Access<In>::bytes,
           static_cast<std::size_t>(rows.count) * sizeof(A)});
}
template <class In, class A, class Op, class Identity, class Block, class F>
void with_staged(const In& x, const RowsOf& rows, Block block, Index wave, A* result, const Op& op,
                 const Identity& identity, F&& f) {
  const Staging by = staging_of<In, A>(x, rows, wave);
  if (by.in_place) return launch_staged<false>(x, rows, block, by, result, op, identity, f);
  launch_staged<true>(x, rows, block, by, result, op, identity, f);
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
