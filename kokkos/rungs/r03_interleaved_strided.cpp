// r03 interleaved_strided: at each level the first threads of the team add, on strided indices, so
// that whole warps work or retire. In shared memory of 32 banks, the stride causes bank conflicts.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r03 {
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

    for (unsigned s = 1, pairs = block / 2; pairs > 0; s *= 2, pairs /= 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, pairs), [&](unsigned pair) {
        const unsigned leaf = pair * 2 * s;
        tile[leaf] = Op{}(tile[leaf], tile[leaf + s]);
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

}  // namespace ladder::kokkos::r03
