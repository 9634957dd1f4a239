// b08 warp_per_segment: a thread's vector lanes reduce a segment of any length. With uneven
// lengths, the thread with the longest segment runs on after all others finish.

#include "kokkos/batch.hpp"

namespace ladder::kokkos::b08 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  const std::int64_t* offsets;
  Index count;
  A* result;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned at_once = block / lanes;
    const Index before = Index{team.league_rank()} * at_once;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, at_once), [&](unsigned warp) {
      const Index g = before + warp;
      if (g >= count) return;
      const Index begin = offsets[g], end = offsets[g + 1];
      A whole = Op::identity();
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, A& mine) {
            Index i = begin + lane;
            LADDER_UNROLLED
            for (Index k = steps(i, end, lanes); k > 0; --k, i += lanes) mine = Op{}(mine, A(x[i]));
          },
          Into<Op>(whole));
      Kokkos::single(Kokkos::PerThread(team), [&] { result[g] = whole; });
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    const Groups& segments = problem.groups;
    with_batch_block(queue, lanes, [&]<class Block>(Block block) {
      queue.launch(Reduce<typename Case::element, Op, Block>{problem.input, segments.offsets,
                                                             static_cast<Index>(segments.count),
                                                             problem.result, block},
                   league(ceil_div(segments.count, block / lanes), block),
                   groups_pass(problem, ceil_div(segments.length, lanes) + 5));
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b08
