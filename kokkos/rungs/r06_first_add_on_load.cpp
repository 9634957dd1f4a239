// r06 first_add_on_load: each leaf combines two elements before it stores to team scratch. In r04
// half of the threads idled after their load; here half as many teams do the same work, with two
// loads in flight per thread.

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r06 {
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

    const Index first = Index{team.league_rank()} * (2 * block);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      const Index i = first + leaf, j = i + block;
      tile[leaf] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
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
    const Layout layout{.block = tuning.block, .items = 2, .shared = tuning.block * sizeof(A)};
    in_passes<Reduce<typename Case::element, Op>, Reduce<A, Op>>(queue, problem, layout,
                                                                 tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r06
