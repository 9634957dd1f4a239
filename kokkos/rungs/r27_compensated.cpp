// r27 compensated: r20 with a second sum of the rounding errors of all additions, carried through
// lanes, threads, teams and league. The two sums are added once at the end: the result is that of
// twice the precision, rounded once. Eight additions replace one, hidden while memory limits.
// Compiled without contraction, which would remove the error term.

#include "common/compensated.hpp"
#include "common/gpu/atomics.hpp"
#include "common/gpu/vector.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r27 {
namespace {

template <class T, class Block>
struct Reduce {
  using Op = CompensatedSum<T>;
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  Index n;
  A* partial;
  Block block;
  unsigned* ticket;
  T* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    A all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      const Index first = before + leaf;
      if (first < at.head) mine = Op{}(mine, A(x[first]));
      if (first < n - at.tail) mine = Op{}(mine, A(x[at.tail + first]));
      Index i = first;
      LADDER_UNROLLED
      for (Index k = steps(first, at.vectors, stride); k > 0; --k, i += stride)
        mine = Op{}(mine, fold<Op, T>(v[i]));
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      partial[team.league_rank()] = all;
      *drawn = draw(ticket);
    });
    team.team_barrier();
    const auto blocks = static_cast<unsigned>(team.league_size());
    if (*drawn != blocks - 1) return;

    all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      for (unsigned b = leaf; b < blocks; b += block) mine = Op{}(mine, partial[b]);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *result = Op::rounded(all);
      *ticket = 0;
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using A = Compensated<T>;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{
          .block = block,
          .items = width<T>,
          .grid = tuning.grid,
          .shared = whole_words<A>(block / lanes) * sizeof(A) + sizeof(std::uint64_t)};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, T>(blocks);
      const Reduce<T, Block> reduce{problem.input,  static_cast<Index>(problem.n),
                                    partial,        block,
                                    queue.ticket(), problem.result};
      queue.launch(reduce, shape_of(layout, problem.n), pass);
    });
  }
};

using Sums = Each<Operation::sum>::Over<Type::f32, Type::f64>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }

}  // namespace ladder::kokkos::r27
