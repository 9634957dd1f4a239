#pragma once

// Short unaligned rows on GPUs, staged through team scratch.

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Elements per tile of rows.
template <class T>
inline constexpr Index staged_elements = 16384 / sizeof(T);

/// A team copies a tile of rows, gaps included; then `width_of_row` lanes take each row.
template <class T, class A, class Op, class Identity, class Block, unsigned width_of_row>
struct StagedRows {
  static constexpr unsigned vector_length = width_of_row;
  /// More than elsewhere: while a team waits for its loads, others read team scratch.
  static constexpr unsigned resident = resident_for<A> * 3 / 2;
  const T* x;
  RowsOf rows;
  Index of_a_team;
  A* result;
  Op op;
  Identity identity;
  Block block;

  static constexpr std::size_t scratch = staged_elements<T> + Access<const T*>::width;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = team.league_rank() * of_a_team, left = rows.count - first;
    const Index mine = left < of_a_team ? left : of_a_team;
    const T* const staged =
        stage(team, x + first * rows.pitch, (mine - 1) * rows.pitch + rows.length);
    team.team_barrier();
    const auto length = static_cast<unsigned>(rows.length);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, static_cast<unsigned>(mine)), [&](unsigned g) {
          const T* const row = staged + g * static_cast<unsigned>(rows.pitch);
          const A whole =
              reduce_lanes<A>(team, vector_length, op, identity, [&](unsigned lane, A& some) {
                if constexpr (vector_length > 1) {
                  for (unsigned i = lane; i < length; i += vector_length)
                    some = op(some, static_cast<A>(row[i]));
                } else {
                  // Neighbours start at different elements to avoid bank conflicts.
                  const unsigned begin = g % length;
                  for (unsigned i = begin; i < length; ++i) some = op(some, static_cast<A>(row[i]));
                  for (unsigned i = 0; i < begin; ++i) some = op(some, static_cast<A>(row[i]));
                }
              });
          Kokkos::single(Kokkos::PerThread(team), [&] { result[first + g] = whole; });
        });
  }

 private:
  /// Copies a tile to team scratch; returns the address of the first element. A barrier must
  /// follow.
  template <class Team>
  KOKKOS_FUNCTION const T* stage(const Team& team, const T* from, Index n) const {
    using Vector = typename Access<const T*>::Vector;
    constexpr unsigned loads = staged_elements<T> * sizeof(T) / sizeof(Vector) / batch_block;
    const Split at = split(from, n);
    T* const to = aligned_memory<T>(team, scratch) + past_boundary(from);
    const auto* const vectors = reinterpret_cast<const Vector*>(from + at.head);
    const auto count = static_cast<unsigned>(at.vectors);
    for_leaves<vector_length>(team, block, [&](unsigned leaf) {
      if (leaf < at.head) to[leaf] = from[leaf];
      if (leaf < n - at.tail) to[at.tail + leaf] = from[at.tail + leaf];
      if (count > 0) copy_vectors<loads, 0, batch_block>(vectors, to + at.head, leaf, count);
    });
    return to;
  }
};

/// True if a tile holds a row, and gaps are no larger than rows.
template <class In>
bool can_be_staged([[maybe_unused]] const In& x, const RowsOf& rows) {
  if constexpr (is_staged_in_vectors<In>) {
    return has_boundaries(x) && rows.length > 0 &&
           rows.length <= staged_elements<typename Access<In>::element> &&
           rows.pitch <= 2 * rows.length;
  } else {
    return false;
  }
}

/// Calls `f(kernel, league)` with a launch over staged rows, with as many lanes per row as the team
/// has.
template <class T, class A, class Op, class Identity, class Block, class F>
void with_staged(const T* x, const RowsOf& rows, Block block, A* result, const Op& op,
                 const Identity& identity, F&& f) {
  const Index fitting = (staged_elements<T> - rows.length) / rows.pitch + 1;
  const Index of_a_team = std::min(fitting, rows.count);
  const Index extent = (rows.count - 1) * rows.pitch + rows.length;
  const auto launch = [&]<unsigned width_of_row>() {
    using Kernel = StagedRows<T, A, Op, Identity, Block, width_of_row>;
    const Index depth = parts_of(rows.length, width_of_row) + log_of(width_of_row);
    f(Kernel{x, rows, of_a_team, result, op, identity, block},
      League{parts_of(rows.count, of_a_team), block, aligned_bytes<T>(Kernel::scratch),
             static_cast<std::size_t>(depth), static_cast<std::size_t>(extent) * sizeof(T),
             static_cast<std::size_t>(rows.count) * sizeof(A)});
  };
  const Index spare = batch_block / std::min<Index>(fitting, batch_block);
  if (spare >= 32) return launch.template operator()<32>();
  if (spare >= 16) return launch.template operator()<16>();
  if (spare >= 8) return launch.template operator()<8>();
  if (spare >= 4) return launch.template operator()<4>();
  if (spare >= 2) return launch.template operator()<2>();
  launch.template operator()<1>();
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
