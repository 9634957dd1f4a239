// r17 multiple_accumulators: a lane has one accumulator per load in flight, so additions do not
// depend on each other. Additions take a few cycles and loads hundreds, so little gain is expected
// while memory limits. A negative result, kept as such.

#include "common/gpu/vector.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r17 {
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
      A chain[unrolled];
      for (auto& value : chain) value = Op::identity();
      Index i = first, k = steps(first, at.vectors, stride);
      for (; k >= unrolled; k -= unrolled, i += unrolled * stride) {
        for (int c = 0; c < unrolled; ++c)
          chain[c] = Op{}(chain[c], fold<Op, T>(v[i + c * stride]));
      }
      for (; k > 0; --k, i += stride) mine = Op{}(mine, fold<Op, T>(v[i]));
      for (const auto& value : chain) mine = Op{}(mine, value);
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

}  // namespace ladder::kokkos::r17
