#include <array>
#include <vector>

#include "common/gpu/atomics.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"
#include "tests/faulty_rungs.hpp"

namespace ladder::kokkos {

namespace r04 {
Run<Queue> find(Type, Operation);
}
namespace r07 {
Run<Queue> find(Type, Operation);
}
namespace r16 {
Run<Queue> find(Type, Operation);
}

namespace faulty {

namespace {

template <class Case>
struct ReturnsZero {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = typename Case::accumulator;
    queue.launch(Set<A>{problem.result, A{0}}, Shape{}, Pass{.written_bytes = sizeof(A)});
  }
};

/// *result = Op{}(*result, *other)
template <class T, class Op>
struct Combine {
  typename Op::value* result;
  const T* other;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using A = typename Op::value;
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = Op{}(*result, A(*other)); });
  }
};

template <class Case>
struct AddsTwice {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    faults::reduce_by(r04::find, queue, problem, tuning);
    queue.launch(Combine<T, typename Case::function>{problem.result, problem.input + problem.n / 2},
                 Shape{}, Pass{.depth = 1});
  }
};

/// The tree of r04; the first team skips the last level, so leaf 1 and with it every other element
/// of the team is lost. Only in the first team, if full: so every size loses the same elements.
/// Losses of several teams might add up to zero.
template <class T, class Op, bool skips>
struct ReduceToTwo {
  using A = typename Op::value;
  const T* x;
  Index n;
  A* partial;
  unsigned block;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);

    const Index first = Index{team.league_rank()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      const Index i = first + leaf;
      tile[leaf] = i < n ? A(x[i]) : Op::identity();
    });
    team.team_barrier();

    const unsigned last = skips && team.league_rank() == 0 && n >= block ? 2 : 1;
    for (unsigned s = block / 2; s >= last; s /= 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, s),
                           [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
      team.team_barrier();
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = tile[0]; });
  }
};

template <class Case>
struct SkipsLastLevel {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes<ReduceToTwo<T, Op, true>, ReduceToTwo<A, Op, false>>(queue, problem, layout,
                                                                   tuning.block);
  }
};

template <template <class> class Launch>
constexpr faults::Find<Queue> find = faults::find_classic<Queue, Launch>;
using faults::miscounting, faults::wrong;

constexpr std::array faulty_rungs{
    wrong<Queue>("fault_drops_last", "drops the last element",
                 miscounting<Queue, r04::find, faults::all_but_the_last>),
    wrong<Queue>("fault_adds_twice", "adds one element twice", faults::find_sum<Queue, AddsTwice>),
    wrong<Queue>("fault_reads_past_end", "takes in the neighbour past the end",
                 miscounting<Queue, r07::find, faults::one_too_many>,
                 {.axes = block_axis | items_axis, .defaults = {.block = 256, .items = 32}}),
    wrong<Queue>("fault_ignores_vector_tail", "ignores what is left over of whole 16-byte vectors",
                 miscounting<Queue, r16::find, faults::whole_vectors>,
                 {.acts = faults::leaves_a_rest,
                  .axes = block_axis | grid_axis,
                  .defaults = {.block = 512, .grid = 4}}),
    wrong<Queue>("fault_returns_zero", "returns zero", find<ReturnsZero>),
    wrong<Queue>("fault_skips_last_level", "leaves the last level out of a team's tree",
                 find<SkipsLastLevel>,
                 {.acts = [](Type, std::size_t n, unsigned block) { return n >= block; },
                  .place = [](Type, std::size_t, unsigned) { return std::size_t{1}; }}),
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> extras = faults::extras_of<Queue>("kokkos", faulty_rungs);
  extras.push_back(faults::alias<Queue>(device_ladder, table(), "r16", "alias_r16"));
  return make_backends(extras);
}

}  // namespace faulty
}  // namespace ladder::kokkos
