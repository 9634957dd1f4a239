// b06 thread_per_column: a team thread walks down a column. On a GPU, neighbouring threads read
// neighbouring elements, so loads are coalesced; the number of threads is the number of columns. A
// host thread uses one element of each cache line that it reads.

#include "kokkos/batch.hpp"

namespace ladder::kokkos::b06 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  Matrix<T, A> columns;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index before = Index{team.league_rank()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, unsigned{block}), [&](unsigned leaf) {
      const Index g = before + leaf;
      if (g >= columns.count) return;
      const T* at = columns.x + g;
      A mine = Op::identity();
      LADDER_UNROLLED
      for (Index i = 0; i < columns.length; ++i, at += columns.pitch) mine = Op{}(mine, A(*at));
      columns.result[g] = mine;
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

}  // namespace ladder::kokkos::b06
