// r11 grid_stride: a fixed-size league strides over the array, and each leaf accumulates in a
// register before the tree. The number of trees is the number of teams, instead of one per 2 *
// block elements (algorithm cascading, after Brent). A host thread walks leaf after leaf, each over
// the whole array with the league's stride: coalesced on a GPU, strided there.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r11 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  const T* x;
  Index n;
  A* partial;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);

    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, unsigned{block}), [&](unsigned leaf) {
      A mine = Op::identity();
      Index i = before + leaf;
      LADDER_UNROLLED
      for (Index k = steps(i, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));
      tile[leaf] = mine;
    });
    team.team_barrier();

    LADDER_UNROLLED_WHOLE
    for (unsigned s = block / 2; s > lanes; s /= 2) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, s),
                           [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
      team.team_barrier();
    }
    if (team.team_rank() > 0) return;
    LADDER_UNROLLED_WHOLE
    for (unsigned s = block > lanes ? lanes : lanes / 2; s > 0; s /= 2) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, s),
                           [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
    }
    Kokkos::single(Kokkos::PerThread(team), [&] { partial[team.league_rank()] = tile[0]; });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{.block = block, .grid = tuning.grid, .shared = block * sizeof(A)};
      in_passes<Reduce<typename Case::element, Op, Block>, Reduce<A, Op, Block>>(queue, problem,
                                                                                 layout, block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r11
