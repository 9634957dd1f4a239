// r31 one_trip: one memory round trip after the last load. r20 has three: store the partial, draw
// the ticket, read the others' partials. Here each team stores its partial and the number of the
// call in one word. The league's last team polls the words until they have this call's number. It
// waits only for teams that started before it, which wait for nothing.

#include "common/gpu/vector.hpp"
#include "common/gpu/words.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r31 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  Index n;
  Words words;
  Block block;
  A* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    unsigned call = 0;
    if (team.team_rank() == 0 || me == last) call = number_of_call(words);
    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    const A all = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      const Index first = before + leaf;
      if (first < at.head) mine = Op{}(mine, A(x[first]));
      if (first < n - at.tail) mine = Op{}(mine, A(x[at.tail + first]));
      Index i = first;
      LADDER_UNROLLED
      for (Index k = steps(first, at.vectors, stride); k > 0; --k, i += stride)
        mine = Op{}(mine, fold<Op, T>(v[i]));
    });
    if (me != last) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { leave(words, me, all, call); });
      return;
    }

    team.team_barrier();
    const A others = reduce_team<Op>(team, block, tile, [&](unsigned leaf, A& mine) {
      mine = collect<Op>(words, leaf, block, last, call, mine);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *result = Op{}(all, others);
      finish(words, call, 0, 1);
    });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{.block = block,
                          .items = width<T>,
                          .grid = tuning.grid,
                          .shared = whole_words<A>(block / lanes) * sizeof(A)};
      const std::size_t blocks = layout.blocks(problem.n);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      const Reduce<T, Op, Block> reduce{problem.input, static_cast<Index>(problem.n),
                                        queue.words<A>(blocks), block, problem.result};
      queue.launch(reduce, shape_of(layout, problem.n), pass);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::kokkos::r31
