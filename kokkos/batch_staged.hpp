#pragma once

// Elements that come into team scratch as one array before they are reduced.

#include <bit>
#include <cstring>

#include "kokkos/batch_rows.hpp"

namespace ladder::kokkos {

/// A piece of team scratch at a boundary of 16 bytes; its launch asks for `aligned_bytes` of it.
template <class A, class Team>
KOKKOS_FUNCTION A* aligned_memory(const Team& team, std::size_t count) {
  return static_cast<A*>(
      team.team_scratch(0).get_shmem_aligned(static_cast<int>(count * sizeof(A)), 16));
}
template <class A>
constexpr std::size_t aligned_bytes(std::size_t count) {
  return count * sizeof(A) + 16;
}

/// Calls `f(leaf)` for each leaf of a team whose threads have so many lanes.
template <unsigned vector_length, class Team, class F>
KOKKOS_FUNCTION void for_leaves(const Team& team, unsigned block, const F& f) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / vector_length), [&](unsigned thread) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                         [&](unsigned lane) { f(thread * vector_length + lane); });
  });
}

/// Has the team copy n elements into `tile`, which begins at a boundary of 16 bytes and has room
/// for a vector more; returns where the first one then is. A barrier has to follow.
template <unsigned vector_length, class T, class Team>
KOKKOS_FUNCTION const T* stage(const Team& team, unsigned block, const T* x, Index n, T* tile) {
  const Split at = split(x, n);
  T* const to = tile + reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) / sizeof(T);
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);
  for_leaves<vector_length>(team, block, [&](unsigned leaf) {
    if (leaf < at.head) to[leaf] = x[leaf];
    if (leaf < n - at.tail) to[at.tail + leaf] = x[at.tail + leaf];
    Index i = leaf;
    LADDER_UNROLLED
    for (Index k = steps(i, at.vectors, block); k > 0; --k, i += block) {
      const Vector<T> loaded = v[i];
      // A barrier comes before anyone reads; on a host of one thread that is nothing.
      KOKKOS_IF_ON_DEVICE((reinterpret_cast<Vector<T>*>(to + at.head)[i] = loaded;))
      KOKKOS_IF_ON_HOST((std::memcpy(to + at.head + i * width<T>, &loaded, sizeof loaded);))
    }
  });
  return to;
}

/// Elements of a tile of rows.
template <class T>
inline constexpr std::size_t staged_elements = 16384 / sizeof(T);

/// A team takes a tile of rows, with what lies between them; then each row has some lanes.
template <class T, class Op, class Block, unsigned width_of_row>
struct StagedRows {
  using A = typename Op::value;
  static constexpr unsigned vector_length = width_of_row;
  static constexpr unsigned in_turn = width_of_row;
  static constexpr unsigned resident = batch_resident;
  Matrix<T, A> rows;
  Index of_a_team;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = team.league_rank() * of_a_team, left = rows.count - first;
    const Index mine = left < of_a_team ? left : of_a_team;
    T* const tile = aligned_memory<T>(team, staged_elements<T> + width<T>);
    const T* const staged = stage<vector_length>(team, block, rows.x + first * rows.pitch,
                                                 (mine - 1) * rows.pitch + rows.length, tile);
    team.team_barrier();
    const auto length = static_cast<unsigned>(rows.length);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, static_cast<unsigned>(mine)), [&](unsigned g) {
          const T* const row = staged + g * static_cast<unsigned>(rows.pitch);
          A whole = Op::identity();
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, vector_length),
              [&](unsigned lane, A& some) {
                if constexpr (vector_length > 1) {
                  for (unsigned i = lane; i < length; i += vector_length)
                    some = Op{}(some, A(row[i]));
                } else {
                  // Neighbours begin at different places, lest they ask one bank.
                  const unsigned begin = g % length;
                  for (unsigned i = begin; i < length; ++i) some = Op{}(some, A(row[i]));
                  for (unsigned i = 0; i < begin; ++i) some = Op{}(some, A(row[i]));
                }
              },
              Into<Op>(whole));
          Kokkos::single(Kokkos::PerThread(team), [&] { rows.result[first + g] = whole; });
        });
  }
};

/// Whether a tile has room for a row, and gaps between rows do not take more than rows.
template <class Case>
bool can_be_staged(const View<Case>& problem) {
  const Groups& groups = problem.groups;
  return groups.length <= staged_elements<typename Case::element> &&
         groups.pitch <= 2 * groups.length;
}

/// One launch over rows that can be staged: as many lanes a row as a team has to spare.
template <class Case>
void by_staged_rows(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  using Op = typename Case::function;
  const Groups& groups = problem.groups;
  const std::size_t fitting = (staged_elements<T> - groups.length) / groups.pitch + 1;
  const std::size_t of_a_team = std::min(fitting, groups.count);
  const auto launch = [&]<unsigned width_of_row>() {
    with_batch_block(queue, batch_block, [&]<class Block>(Block block) {
      Pass pass = groups_pass(problem, ceil_div(groups.length, width_of_row) +
                                           static_cast<std::size_t>(std::bit_width(width_of_row)));
      pass.read_bytes = groups.extent(problem.n) * sizeof(T);
      queue.launch(StagedRows<T, Op, Block, width_of_row>{matrix_of(problem),
                                                          static_cast<Index>(of_a_team), block},
                   league(ceil_div(groups.count, of_a_team), block,
                          aligned_bytes<T>(staged_elements<T> + width<T>)),
                   pass);
    });
  };
  const std::size_t spare = batch_block / std::min<std::size_t>(fitting, batch_block);
  if (spare >= 32) return launch.template operator()<32>();
  if (spare >= 16) return launch.template operator()<16>();
  if (spare >= 8) return launch.template operator()<8>();
  if (spare >= 4) return launch.template operator()<4>();
  if (spare >= 2) return launch.template operator()<2>();
  launch.template operator()<1>();
}

}  // namespace ladder::kokkos
