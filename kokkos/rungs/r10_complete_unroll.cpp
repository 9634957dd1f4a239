// r10 complete_unroll: the block size is a template argument with one kernel per value, so the
// compiler knows every level of the tree and the maximum team size. It does not know the minimum:
// Kokkos reads the team size at run time, so each level remains a loop over its range.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r10 {
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

    const Index first = Index{team.league_rank()} * (2 * block);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, unsigned{block}), [&](unsigned leaf) {
      const Index i = first + leaf, j = i + block;
      tile[leaf] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
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
      const Layout layout{.block = block, .items = 2, .shared = block * sizeof(A)};
      in_passes<Reduce<typename Case::element, Op, Block>, Reduce<A, Op, Block>>(queue, problem,
                                                                                 layout, block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r10
