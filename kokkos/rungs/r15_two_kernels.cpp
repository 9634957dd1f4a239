// r15 two_kernels: the league's partials fit a single team, so there are exactly two launches: one
// over the array, and one team over the partials. r12 repeats its launch until one partial is left.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r15 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  Index n;
  A* partial;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block / lanes);
    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;

    const A all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      Index i = before + leaf;
      LADDER_UNROLLED
      for (Index k = steps(i, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = all; });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const std::size_t tile = block / lanes * sizeof(A);
      const Layout all{.block = block, .grid = tuning.grid, .shared = tile},
          one{.block = block, .grid = 1, .shared = tile};
      const std::size_t blocks = all.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      one_pass<Reduce<T, Op, Block>>(queue, all, problem.input, problem.n, partial, block);
      one_pass<Reduce<A, Op, Block>>(queue, one, partial, blocks, problem.result, block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r15
