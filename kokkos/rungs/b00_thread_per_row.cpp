// b00 thread_per_row: a team thread walks along a row. On a GPU, neighbouring threads read
// addresses one row apart, so a warp's load touches as many cache lines as it has lanes. On a host
// this is the natural order, because a row is contiguous.

#include "kokkos/batch.hpp"

namespace ladder::kokkos::b00 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  Matrix<T, A> rows;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index before = Index{team.league_rank()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, unsigned{block}), [&](unsigned leaf) {
      const Index g = before + leaf;
      if (g >= rows.count) return;
      const T* const row = rows.x + g * rows.pitch;
      A mine = Op::identity();
      LADDER_UNROLLED
      for (Index i = 0; i < rows.length; ++i) mine = Op{}(mine, A(row[i]));
      rows.result[g] = mine;
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    const std::size_t count = problem.groups.count;
    const auto share = std::min<std::size_t>(ceil_div(count, queue.concurrency()), batch_block);
    with_batch_block(queue, static_cast<unsigned>(share), [&]<class Block>(Block block) {
      queue.launch(Reduce<typename Case::element, Op, Block>{matrix_of(problem), block},
                   league(ceil_div(count, block), block),
                   groups_pass(problem, problem.groups.length));
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b00
