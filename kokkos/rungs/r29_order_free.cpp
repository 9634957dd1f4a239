// r29 order_free: the result is the exact sum, rounded once, so it is independent of any order; r28
// fixes one order. A thread splits each element between two double sums, by additions that are
// exact or detected as inexact. After each batch it moves the sums to integers, which combine
// across threads and teams in any order. Elements outside the two doubles' range, absent from most
// data, go to a sum in memory as wide as all doubles.

#include "common/gpu/atomics.hpp"
#include "common/gpu/exact_digits.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos::r29 {
namespace {

/// Rounds the sum of all teams once to *result. `sum`: the first thread's sum of windows down to
/// 2^lowest. All threads of the last team must call it, once the digits are complete; it resets
/// them to zero. `digit`: shared memory for `exact::digits` values; `all`: for one sum.
template <class Team, class A>
KOKKOS_FUNCTION void round_once(const Team& team, const exact::Wide& sum, int lowest,
                                std::int64_t* digits, std::int64_t* digit, exact::Wide* all,
                                A* result) {
  Kokkos::single(Kokkos::PerTeam(team), [&] { *all = sum; });
  team.team_barrier();
  const bool in_digits = (all->seen & exact::in_digits) != 0;
  if (in_digits) {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, unsigned{exact::digits}),
                         [&](unsigned i) { digit[i] = exact::folded(digits, i); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, exact::copies * exact::stride),
                         [&](unsigned i) { digits[i] = 0; });
  }
  Kokkos::single(Kokkos::PerTeam(team), [&] { round_to(result, *all, lowest, in_digits, digit); });
}

template <class T, class A, class Block>
struct Reduce {
  static constexpr unsigned vector_length = lanes;
  const T* x;
  Index n;
  exact::Wide* partial;
  Block block;
  std::int64_t* digits;
  unsigned* ticket;
  A* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const tile = shared_memory<exact::Wide>(team, block / lanes);
    auto* const digit = shared_memory<std::int64_t>(team, exact::digits);
    auto* const drawn = shared_memory<unsigned>(team, 1);
    const auto me = static_cast<unsigned>(team.league_rank());
    const Index before = Index{me} * block;
    const Index stride = Index{team.league_size()} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);
    const int place = place_by_samples(x, n);

    exact::Wide all =
        reduce_team<exact::Add>(team, block, tile, [&](unsigned leaf, exact::Wide& mine) {
          const Index first = before + leaf;
          ExactSum<T> sum(place, digits, me);
          if (first < at.head) sum.add(x + first, 1);
          if (first < n - at.tail) sum.add(x + at.tail + first, 1);
          Index i = first;
          for (Index k = steps(first, at.vectors, stride), taken; k > 0;
               k -= taken, i += taken * stride)
            taken = sum.add(v + i, stride, k);
          mine = exact::Add{}(mine, sum.finish(place));
        });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      partial[me] = all;
      *drawn = draw(ticket);
    });
    team.team_barrier();
    const auto blocks = static_cast<unsigned>(team.league_size());
    if (*drawn != blocks - 1) return;

    all = reduce_team<exact::Add>(team, block, tile, [&](unsigned leaf, exact::Wide& mine) {
      for (unsigned b = leaf; b < blocks; b += block) mine = exact::Add{}(mine, partial[b]);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *ticket = 0; });
    team.team_barrier();
    round_once(team, all, exact::lowest<T>(place), digits, digit, tile, result);
  }
};

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    with_block(queue, tuning.block, [&]<class Block>(Block block) {
      const Layout layout{.block = block,
                          .items = width<T>,
                          .grid = tuning.grid,
                          .shared = block / lanes * sizeof(exact::Wide) +
                                    (exact::digits + 1) * sizeof(std::int64_t)};
      const std::size_t blocks = layout.blocks(problem.n);
      auto* const partial = queue.scratch<exact::Wide>(blocks);
      Pass pass = layout.pass<T, exact::Wide>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<exact::Wide, A>(blocks);
      pass.depth = 1;  // only the exact sum is rounded
      const Reduce<T, A, Block> reduce{problem.input,  static_cast<Index>(problem.n),
                                       partial,        block,
                                       queue.digits(), queue.ticket(),
                                       problem.result};
      queue.launch(reduce, shape_of(layout, problem.n), pass);
    });
  }
};

using Sums = Each<Operation::sum>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }

}  // namespace ladder::kokkos::r29
