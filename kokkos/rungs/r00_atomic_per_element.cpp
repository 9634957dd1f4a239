// r00 atomic_per_element: the shortest correct kernel. Every leaf updates one address atomically
// for its element, so memory serializes the updates; all later rungs avoid this.

#include "common/gpu/atomics.hpp"
#include "kokkos/kokkos_passes.hpp"

namespace ladder::kokkos::r00 {
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
    const Index first = Index{team.league_rank()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      const Index i = first + leaf;
      if (i < n) atomic_update<Op>(result, A(x[i]));
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Layout layout{.block = tuning.block};
    atomic_pass<Reduce<typename Case::element, typename Case::function>>(
        queue, problem, layout, tuning.block, tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r00
