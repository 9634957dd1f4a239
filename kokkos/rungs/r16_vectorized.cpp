// r16 vectorized: a lane loads 16 bytes at a time, with a quarter of the load instructions (half
// for 8-byte types) and more bytes in flight. The league's first leaves take the elements before
// the first 16-byte boundary and after the last whole vector, fewer than one vector each. Kokkos
// has no 16-byte load; kokkos/kokkos_platform.hpp uses the compiler's.

#include "common/gpu/vector.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r16 {
namespace {

template <class T, class Op, class Block>
struct Reduce {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  const T* x;
  Index n;
  A* partial;
  Block block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block / lanes);
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
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = all; });
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const std::size_t tile = block / lanes * sizeof(A);
      const Layout all{.block = block, .items = width<T>, .grid = tuning.grid, .shared = tile},
          one{.block = block, .items = width<A>, .grid = 1, .shared = tile};
      const std::size_t blocks = all.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      one_pass<Reduce<T, Op, Block>>(queue, all, problem.input, problem.n, partial, block);
      one_pass<Reduce<A, Op, Block>>(queue, one, partial, blocks, problem.result, block);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::kokkos::r16
