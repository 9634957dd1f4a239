// r07 coarsened: each leaf combines C elements before the tree, one tile width apart, so a warp's
// load is contiguous. It generalizes r06 from 2 to C: fewer teams, fewer trees, and more loads in
// flight per thread. C is a sweep axis.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r07 {
namespace {

template <class T, class Op>
struct Reduce {
  using A = typename Op::value;
  const T* x;
  Index n;
  A* partial;
  unsigned block;
  unsigned items;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);

    const Index first = Index{team.league_rank()} * (items * block);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      Index i = first + leaf;
      A mine = Op::identity();
      LADDER_UNROLLED
      for (unsigned k = 0; k < items; ++k, i += block)
        mine = Op{}(mine, i < n ? A(x[i]) : Op::identity());
      tile[leaf] = mine;
    });
    team.team_barrier();

    for (unsigned s = block / 2; s > 0; s /= 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, s),
                           [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
      team.team_barrier();
    }
    if (team.team_rank() == 0) partial[team.league_rank()] = tile[0];
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{
        .block = tuning.block, .items = tuning.items, .shared = tuning.block * sizeof(A)};
    in_passes<Reduce<typename Case::element, Op>, Reduce<A, Op>>(queue, problem, layout,
                                                                 tuning.block, tuning.items);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r07
