// r13 warp_atomic: each vector of lanes updates the one result atomically with its tree's value. No
// team scratch, no barrier, no partials and no second pass: only one update per vector, and the
// reset of the result in advance.

#include "common/gpu/atomics.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r13 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  Index n;
  A* result;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
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
      Kokkos::single(Kokkos::PerThread(team), [&] { atomic_update<Op>(result, whole); });
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{.block = block, .grid = tuning.grid};
      atomic_pass<Reduce<typename Case::element, Op, Block>>(queue, problem, layout, block / lanes,
                                                             block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r13
