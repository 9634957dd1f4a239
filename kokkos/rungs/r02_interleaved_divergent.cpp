// r02 interleaved_divergent: a tree in team scratch instead of one contended address. The distance
// between partners doubles at each level. `leaf % (2 * s)` selects one leaf in two, four, eight of
// every warp, so all warps stay busy while most lanes idle. Repeated launches reduce the teams'
// results.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r02 {
namespace {

template <class T, class Op>
struct Reduce {
  using A = typename Op::value;
  const T* x;
  Index n;
  A* partial;
  unsigned block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);

    const Index first = Index{team.league_rank()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      const Index i = first + leaf;
      tile[leaf] = i < n ? A(x[i]) : Op::identity();
    });
    team.team_barrier();

    for (unsigned s = 1; s < block; s *= 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
        if (leaf % (2 * s) == 0) tile[leaf] = Op{}(tile[leaf], tile[leaf + s]);
      });
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
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes<Reduce<typename Case::element, Op>, Reduce<A, Op>>(queue, problem, layout,
                                                                 tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r02
