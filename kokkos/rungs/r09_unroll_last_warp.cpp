// r09 unroll_last_warp: once only one thread's lanes are active, the tree's last levels need no
// team barrier. Kokkos has no warp barrier as a replacement. Here a team thread is a vector of 32
// lanes, and a ThreadVectorRange ends when all lanes are done (on CUDA by `__syncwarp`).

#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r09 {
namespace {

template <class T, class Op>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  const T* x;
  Index n;
  A* partial;
  unsigned block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);

    const Index first = Index{team.league_rank()} * (2 * block);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, block), [&](unsigned leaf) {
      const Index i = first + leaf, j = i + block;
      tile[leaf] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
    });
    team.team_barrier();

    for (unsigned s = block / 2; s > lanes; s /= 2) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, s),
                           [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
      team.team_barrier();
    }
    if (team.team_rank() > 0) return;
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
    const Layout layout{.block = tuning.block, .items = 2, .shared = tuning.block * sizeof(A)};
    in_passes<Reduce<typename Case::element, Op>, Reduce<A, Op>>(queue, problem, layout,
                                                                 tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r09
