// r01 block_serial: a team stages its elements in team scratch, and one thread combines them. One
// atomic update per team replaces r00's one per element, which shortens the queue at the one
// address. The other threads only load and wait.

#include "common/gpu/atomics.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r01 {
namespace {

template <class T, class Op>
struct Reduce {
  using A = typename Op::value;
  const T* x;
  Index n;
  A* result;
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

    if (team.team_rank() > 0) return;
    A mine = tile[0];
    for (unsigned k = 1; k < block; ++k) mine = Op{}(mine, tile[k]);
    atomic_update<Op>(result, mine);
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A), .serial = true};
    atomic_pass<Reduce<typename Case::element, Op>>(queue, problem, layout, 1, tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r01
