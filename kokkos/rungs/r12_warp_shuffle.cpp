// r12 warp_shuffle: the tree moves from team scratch to registers. Kokkos has no shuffle; the
// closest construct is a reduction over a thread's lanes (ThreadVectorRange). On CUDA it shuffles
// within the warp: five levels without a barrier, then a sixth shuffle to broadcast the result.
// Team scratch holds one value per vector, and one barrier separates the vectors' trees from the
// tree over them. A host processes the lanes sequentially.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r12 {
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
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block / lanes), [&](unsigned warp) {
      A whole = Op::identity();
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, A& mine) {
            Index i = before + warp * lanes + lane;
            LADDER_UNROLLED
            for (Index k = steps(i, n, stride); k > 0; --k, i += stride) mine = Op{}(mine, A(x[i]));
          },
          Into<Op>(whole));
      Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = whole; });
    });
    team.team_barrier();
    if (team.team_rank() > 0) return;
    A all = Op::identity();
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, block / lanes),
        [&](unsigned warp, A& mine) { mine = Op{}(mine, tile[warp]); }, Into<Op>(all));
    Kokkos::single(Kokkos::PerThread(team), [&] { partial[team.league_rank()] = all; });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{.block = block, .grid = tuning.grid, .shared = block / lanes * sizeof(A)};
      in_passes<Reduce<typename Case::element, Op, Block>, Reduce<A, Op, Block>>(queue, problem,
                                                                                 layout, block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r12
