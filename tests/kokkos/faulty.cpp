#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "kokkos/atomics.hpp"
#include "kokkos/backend.hpp"
#include "kokkos/passes.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"
#include "tests/faults.hpp"

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

/// A right rung, on the first n elements.
template <class Case>
void reduce_first(Run<Queue> (*find)(Type, Operation), Queue& queue, const View<Case>& problem,
                  std::size_t n, const Tuning& tuning) {
  const Problem part{problem.input, n, Case::type, Case::operation, problem.result};
  find(Case::type, Case::operation)(queue, part, tuning);
}

template <class Case>
struct DropsLast {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    reduce_first(r04::find, queue, problem, problem.n - 1, tuning);
  }
};

template <class Case>
struct ReadsPastEnd {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    reduce_first(r07::find, queue, problem, problem.n + 1, tuning);  // a guard stands there
  }
};

template <class Case>
struct IgnoresVectorTail {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    constexpr std::size_t w = width<typename Case::element>;
    reduce_first(r16::find, queue, problem, problem.n / w * w, tuning);
  }
};

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
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    queue.launch(Combine<T, typename Case::function>{problem.result, problem.input + problem.n / 2},
                 Shape{}, Pass{.depth = 1});
  }
};

/// The tree of r04, that of the first team without its last level: leaf 1 is lost, and what went
/// into it, which is every other element of that team's. Of one team alone and where it is full, so
/// that at every size the same elements are lost: those of several might add up to nothing.
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
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

Run<Queue> find_twice(Type type, Operation operation) {
  return operation == Operation::sum ? find<AddsTwice>(type, operation) : nullptr;
}

consteval Extra wrong(std::string_view id, std::string_view idea,
                      Run<Queue> (*finder)(Type, Operation), unsigned axes = block_axis,
                      Tuning defaults = {.block = 256}) {
  return {Rung{id, "", "", idea, "wrong on purpose", axes}, Entry{id, finder, defaults}, false};
}

Extra alias_of_r16() {
  const auto entry = std::ranges::find(table(), "r16", &Entry::id);
  Extra alias{Rung{"alias_r16", "", "", "r16 under a second name: two medians of the same", "",
                   block_axis | grid_axis},
              *entry, false};
  alias.entry.id = alias.rung.id;
  return alias;
}

const std::array extras{
    wrong("fault_drops_last", "drops the last element", find<DropsLast>),
    wrong("fault_adds_twice", "adds one element twice", find_twice),
    wrong("fault_reads_past_end", "takes in the neighbour past the end", find<ReadsPastEnd>,
          block_axis | items_axis, {.block = 256, .items = 32}),
    wrong("fault_ignores_vector_tail", "ignores what is left over of whole 16-byte vectors",
          find<IgnoresVectorTail>, block_axis | grid_axis, {.block = 512, .grid = 4}),
    wrong("fault_returns_zero", "returns zero", find<ReturnsZero>),
    wrong("fault_skips_last_level", "leaves the last level out of a team's tree",
          find<SkipsLastLevel>),
    alias_of_r16(),
};

using faults::always, faults::last;

constexpr std::array known{
    faults::Fault{"fault_drops_last", always, last, false},
    faults::Fault{"fault_adds_twice", always, last, true},
    faults::Fault{"fault_reads_past_end", always, last, false},
    faults::Fault{
        "fault_ignores_vector_tail",
        [](Type type, std::size_t n, unsigned) { return n % (16 / facts(type).bytes) != 0; }, last,
        false},
    faults::Fault{"fault_returns_zero", always, last, false},
    faults::Fault{"fault_skips_last_level",
                  [](Type, std::size_t n, unsigned block) { return n >= block; },
                  [](Type, std::size_t, unsigned) { return std::size_t{1}; }, false},
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() { return make_backends(extras); }

std::span<const faults::Fault> faults() { return known; }

}  // namespace faulty
}  // namespace ladder::kokkos
