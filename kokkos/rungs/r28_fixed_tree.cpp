// r28 fixed_tree: r20 with an order of operations that depends on n alone (common/fixed_tree.hpp),
// so the result has the same bits for any block, grid and backend. A thread's lanes load a chunk of
// 8 KiB at once, each its places of 16 rows. A team combines adjacent threads' values and stores
// one partial per subtree. Kokkos cannot read another lane's value, and its lane reduction
// guarantees no order, so values meet in team scratch.

#include <cstdint>
#include <limits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/vector.hpp"
#include "common/model/subtrees.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r28 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  using Crew = ladder::Crew<T, A>;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned resident = Block::known == 0 ? 0 : Crew::resident(Block::known);
  static constexpr unsigned chunks = lanes / Crew::threads;  ///< chunks per thread
  static constexpr unsigned at_once = Subtrees::at_once<A>;
  const T* x;
  Index n;
  Subtrees subtrees;
  A* partial;
  Block block;
  unsigned* ticket;
  A* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const sums = shared_memory<A>(team, block * Crew::lanes);
    A* const tile = shared_memory<A>(team, block);
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const auto blocks = static_cast<unsigned>(team.league_size());
    const unsigned threads = block / lanes;

    for (auto i = static_cast<unsigned>(team.league_rank()); i < subtrees.count; i += blocks) {
      for (unsigned turn = 0; turn < subtrees.turns; ++turn) {
        const Index before = (Index{i} * subtrees.turns + turn) * threads;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](unsigned thread) {
          A* const mine = sums + thread * lanes * Crew::lanes;
          of_chunks(team, (before + thread) * chunks * Crew::chunk, mine);
          Kokkos::single(Kokkos::PerThread(team), [&] { tile[turn * threads + thread] = *mine; });
        });
      }
      join_tile(team, tile, subtrees.turns * threads, partial + i);
    }

    Kokkos::single(Kokkos::PerTeam(team), [&] { *drawn = draw(ticket); });
    team.team_barrier();
    if (*drawn != blocks - 1) return;

    // Each round combines `at_once` partials per leaf and overwrites the first ones, which are
    // already read, until one is left.
    for (unsigned left = subtrees.count, values = 0; values != 1; left = values) {
      values = (left - 1) / (at_once * block) + 1;
      for (unsigned v = 0; v < values; ++v) {
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, unsigned{block}), [&](unsigned leaf) {
          tile[leaf] = of_partials((v * block + leaf) * at_once, left);
        });
        join_tile(team, tile, block, partial + v);
      }
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const A all = *partial;
      *result = all == all ? all : std::numeric_limits<A>::quiet_NaN();
      *ticket = 0;
    });
  }

  /// Reduces the chunks from element `begin` on, or the elements that are left, to *sums.
  template <class Team>
  KOKKOS_FUNCTION void of_chunks(const Team& team, Index begin, A* sums) const {
    constexpr unsigned row = Crew::tree.lanes;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](unsigned lane) {
      const Index first = begin + lane / Crew::threads * Crew::chunk;
      of_rows(x + first, n - first, lane % Crew::threads * Crew::lanes, sums + lane * Crew::lanes);
    });
    for (unsigned half = row / 2; half > 0; half /= 2) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, chunks * half), [&](unsigned i) {
        A* const mine = sums + i / half * row + i % half;
        *mine = Op{}(*mine, mine[half]);
      });
    }
    join(team, sums, chunks, row);
  }

  /// Reduces the lanes from `first` on of a chunk at `chunk`, of which `left` elements remain.
  KOKKOS_FUNCTION void of_rows(const T* chunk, Index left, unsigned first, A* sums) const {
    A mine[Crew::lanes];
    LADDER_UNROLLED_WHOLE
    for (A& lane : mine) lane = Op::identity();
    if (left >= Crew::chunk && reinterpret_cast<std::uintptr_t>(chunk) % sizeof(Vector<T>) == 0) {
      Vector<T> row[Crew::rows];
      LADDER_UNROLLED_WHOLE
      for (unsigned r = 0; r < Crew::rows; ++r)
        row[r] = reinterpret_cast<const Vector<T>*>(chunk + first)[r * Crew::threads];
      LADDER_UNROLLED_WHOLE
      for (unsigned r = 0; r < Crew::rows; ++r) {
        const Elements<T> elements = elements_of<T>(row[r]);
        LADDER_UNROLLED_WHOLE
        for (unsigned l = 0; l < Crew::lanes; ++l) mine[l] = Op{}(mine[l], A(elements.at[l]));
      }
    } else {
      LADDER_UNROLLED
      for (unsigned i = first; i < Crew::chunk; i += Crew::tree.lanes) {
        LADDER_UNROLLED_WHOLE
        for (unsigned l = 0; l < Crew::lanes; ++l)
          if (i + l < left) mine[l] = Op{}(mine[l], A(chunk[i + l]));
      }
    }
    LADDER_UNROLLED_WHOLE
    for (unsigned l = 0; l < Crew::lanes; ++l) sums[l] = mine[l];
  }

  /// Combines the partials from `first` on below `left`.
  KOKKOS_FUNCTION A of_partials(unsigned first, unsigned left) const {
    A mine[at_once];
    LADDER_UNROLLED_WHOLE
    for (unsigned k = 0; k < at_once; ++k)
      mine[k] = first + k < left ? partial[first + k] : Op::identity();
    LADDER_UNROLLED_WHOLE
    for (unsigned s = 1; s < at_once; s *= 2) {
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < at_once; k += 2 * s) mine[k] = Op{}(mine[k], mine[k + s]);
    }
    return mine[0];
  }

  /// Combines `count` values, `apart` places apart, in order, into *values; on a thread's lanes.
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team, A* values, unsigned count, unsigned apart) const {
    for (unsigned s = 1; s < count; s *= 2) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count / (2 * s)), [&](unsigned i) {
        A* const mine = values + i * 2 * s * apart;
        *mine = Op{}(*mine, mine[s * apart]);
      });
    }
  }

  /// Combines the values of the tile into *place; the tile may be overwritten afterwards.
  template <class Team>
  KOKKOS_FUNCTION void join_tile(const Team& team, A* tile, unsigned count, A* place) const {
    team.team_barrier();
    if (team.team_rank() == 0) join(team, tile, count, 1);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *place = *tile; });
    team.team_barrier();
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    using Crew = ladder::Crew<T, A>;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Subtrees subtrees(problem.n, Crew::chunk * (block / Crew::threads));
      const std::size_t teams = blocks_for(subtrees.count, 1, tuning.grid);
      const std::size_t partials = subtrees.count * sizeof(A);
      const Pass pass{.read_bytes = problem.n * sizeof(T) + partials,
                      .written_bytes = partials + sizeof(A),
                      .depth = depth_of(Crew::tree, problem.n)};
      const Reduce<T, Op, Block> reduce{problem.input, static_cast<Index>(problem.n),
                                        subtrees,      queue.scratch<A>(subtrees.count),
                                        block,         queue.ticket(),
                                        problem.result};
      const std::size_t shared = (Crew::lanes + 1) * block * sizeof(A) + sizeof(std::uint64_t);
      queue.launch(reduce, Shape{teams, block, shared}, pass);
    });
  }
};

using Rounded =
    Each<Operation::sum, Operation::product>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Rounded{}, type, op); }

}  // namespace ladder::kokkos::r28
