// b01 block_per_row: a team reduces a row as in r15; neighbouring leaves load neighbouring
// elements, so loads are coalesced. In short rows most leaves idle, and every row needs a barrier.

#include "kokkos/batch.hpp"

namespace ladder::kokkos::b01 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  Matrix<T, A> rows;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block / lanes);
    const T* const row = rows.x + Index{team.league_rank()} * rows.pitch;
    const A all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      Index i = leaf;
      LADDER_UNROLLED
      for (Index k = steps(i, rows.length, block); k > 0; --k, i += block)
        mine = Op{}(mine, A(row[i]));
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { rows.result[team.league_rank()] = all; });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    using A = typename Case::accumulator;
    with_batch_block(queue, lanes, [&]<class Block>(Block block) {
      const Layout row{.block = block, .grid = 1};
      const Pass pass = row.pass<typename Case::element, A>(problem.groups.length);
      queue.launch(Reduce<typename Case::element, Op, Block>{matrix_of(problem), block},
                   league(problem.groups.count, block, block / lanes * sizeof(A)),
                   groups_pass(problem, pass.depth));
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b01
