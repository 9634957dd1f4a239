// b02 warp_per_row: a thread's vector lanes reduce a row, one row per thread of the team. It needs
// no barrier and no scratch, and has eight times as many rows in flight.

#include "kokkos/batch.hpp"

namespace ladder::kokkos::b02 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  Matrix<T, A> rows;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned at_once = block / lanes;
    const Index before = Index{team.league_rank()} * at_once;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, at_once), [&](unsigned warp) {
      const Index g = before + warp;
      if (g >= rows.count) return;
      const T* const row = rows.x + g * rows.pitch;
      A whole = Op::identity();
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, A& mine) {
            Index i = lane;
            LADDER_UNROLLED
            for (Index k = steps(i, rows.length, lanes); k > 0; --k, i += lanes)
              mine = Op{}(mine, A(row[i]));
          },
          Into<Op>(whole));
      Kokkos::single(Kokkos::PerThread(team), [&] { rows.result[g] = whole; });
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    with_batch_block(queue, lanes, [&]<class Block>(Block block) {
      queue.launch(Reduce<typename Case::element, Op, Block>{matrix_of(problem), block},
                   league(ceil_div(problem.groups.count, block / lanes), block),
                   groups_pass(problem, ceil_div(problem.groups.length, lanes) + 5));
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b02
