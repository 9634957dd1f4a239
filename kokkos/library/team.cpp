// parallel_reduce over TeamPolicy with a nested reduction over threads and lanes: one contiguous
// piece per team, and the team size that Kokkos recommends.

#include <algorithm>

#include "common/problem.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"

namespace ladder::kokkos {
namespace {

/// Elements per team: enough to amortize its start and reduction.
constexpr Index piece = 16384;

template <class Case>
struct Pieces {
  using value_type = Carried<Case>;  // nvcc cannot deduce it from a template
  const typename Case::element* x;
  Index n;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, Carried<Case>& mine) const {
    using A = Carried<Case>;
    const Index begin = team.league_rank() * piece;
    const Index end = begin + piece < n ? begin + piece : n;
    A whole;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, begin, end),
        [&](Index i, A& some) { join<Case>(some, x[i]); },
        Reducer<Case, Kokkos::AnonymousSpace>(whole));
    Kokkos::single(Kokkos::PerTeam(team),
                   [&] { Reducer<Case, Kokkos::AnonymousSpace>(mine).join(mine, whole); });
  }
};

template <class Case>
struct ByPieces {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    const auto n = static_cast<Index>(problem.n);
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Memory = typename Space::memory_space;
      const Result<A, Memory> result(reinterpret_cast<A*>(problem.result));
      const auto teams = static_cast<int>((n + piece - 1) / piece);
      Kokkos::parallel_reduce("team", Kokkos::TeamPolicy<Space>(space, teams, Kokkos::AUTO),
                              Pieces<Case>{problem.input, n}, Reducer<Case, Memory>(result));
    });
  }
};

}  // namespace

namespace library_team_view {
Run<Queue> find(Type type, Operation op) { return pick<Queue, ByPieces>(Reducible{}, type, op); }
}  // namespace library_team_view

}  // namespace ladder::kokkos
