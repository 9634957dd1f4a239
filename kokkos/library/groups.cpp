// Batched reductions as in Kokkos's documentation. Rows by hierarchical parallelism: one team per
// row, or one team thread with vector lanes, as in its sparse matrix-vector product; segments
// likewise. Columns by an array reduction over the rows, one member per column (its ColumnSums
// example). On a GPU, the array of every thread of a team is in shared memory, which limits the
// number of columns.

#include <algorithm>
#include <limits>
#include <string>

#include "common/problem.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"

namespace ladder::kokkos {
namespace {

/// The groups: `offsets` for segments, else null.
template <class Case>
struct Rows {
  const typename Case::element* x;
  Carried<Case>* result;
  Index count, length, pitch;
  const std::int64_t* offsets;

  explicit Rows(const View<Case>& problem)
      : x(problem.input),
        result(reinterpret_cast<Carried<Case>*>(problem.result)),
        count(static_cast<Index>(problem.groups.count)),
        length(static_cast<Index>(problem.groups.length)),
        pitch(static_cast<Index>(problem.groups.pitch)),
        offsets(problem.groups.offsets) {}

  KOKKOS_FUNCTION Index begin(Index g) const { return offsets ? offsets[g] : g * pitch; }
  KOKKOS_FUNCTION Index end(Index g) const { return offsets ? offsets[g + 1] : begin(g) + length; }
};

template <class Case>
using IntoVariable = Reducer<Case, Kokkos::AnonymousSpace>;

template <class Case>
struct TeamForEach {
  Rows<Case> rows;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index g = team.league_rank();
    Carried<Case> whole;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, rows.begin(g), rows.end(g)),
        [&](Index i, Carried<Case>& mine) { join<Case>(mine, rows.x[i]); },
        IntoVariable<Case>(whole));
    Kokkos::single(Kokkos::PerTeam(team), [&] { rows.result[g] = whole; });
  }
};

template <class Case>
struct ThreadForEach {
  static constexpr Index of_a_team = 32;
  Rows<Case> rows;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = team.league_rank() * of_a_team;
    const Index last = first + of_a_team < rows.count ? first + of_a_team : rows.count;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](Index g) {
      Carried<Case> whole;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, rows.begin(g), rows.end(g)),
          [&](Index i, Carried<Case>& mine) { join<Case>(mine, rows.x[i]); },
          IntoVariable<Case>(whole));
      Kokkos::single(Kokkos::PerThread(team), [&] { rows.result[g] = whole; });
    });
  }
};

template <class Case>
struct ColumnSums {
  using value_type = Carried<Case>[];
  using size_type = unsigned;
  const typename Case::element* x;
  Index pitch;
  size_type value_count;

  KOKKOS_FUNCTION void operator()(Index row, value_type sums) const {
    for (size_type c = 0; c < value_count; ++c) kokkos::join<Case>(sums[c], x[row * pitch + c]);
  }
  KOKKOS_FUNCTION void init(value_type sums) const {
    for (size_type c = 0; c < value_count; ++c) IntoVariable<Case>(sums[c]).init(sums[c]);
  }
  KOKKOS_FUNCTION void join(value_type sums, const value_type other) const {
    for (size_type c = 0; c < value_count; ++c) IntoVariable<Case>(sums[c]).join(sums[c], other[c]);
  }
};

/// Minimum memory traffic; the longest chain is a group plus the team's tree.
template <class Case>
Pass pass_of_groups(const View<Case>& problem) {
  return {.read_bytes = problem.n * sizeof(typename Case::element),
          .written_bytes = problem.groups.count * sizeof(typename Case::accumulator),
          .depth = problem.groups.length + 1024};
}

/// Kokkos leagues are counted in int.
inline int teams(Index count) {
  if (count > std::numeric_limits<int>::max())
    throw NotPossible("needs a league of " + std::to_string(count) + " teams");
  return static_cast<int>(count);
}

template <class Case>
struct ByTeamRows {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const Rows<Case> rows(problem);
    queue.library(pass_of_groups(problem), [&]<class Space>(const Space& space) {
      Kokkos::parallel_for("team rows",
                           Kokkos::TeamPolicy<Space>(space, teams(rows.count), Kokkos::AUTO),
                           TeamForEach<Case>{rows});
    });
  }
};

template <class Case>
struct ByNestedRows {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Kernel = ThreadForEach<Case>;
    const Rows<Case> rows(problem);
    const int league = teams((rows.count + Kernel::of_a_team - 1) / Kernel::of_a_team);
    queue.library(pass_of_groups(problem), [&]<class Space>(const Space& space) {
      const int lanes = std::min(32, Kokkos::TeamPolicy<Space>::vector_length_max());
      Kokkos::parallel_for("nested rows",
                           Kokkos::TeamPolicy<Space>(space, league, Kokkos::AUTO, lanes),
                           Kernel{rows});
    });
  }
};

template <class Case>
struct ByArray {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    const Groups& groups = problem.groups;
    const std::size_t most = queue.on_host() ? groups.count : 16;
    queue.library(pass_of_groups(problem), [&]<class Space>(const Space& space) {
      using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>;
      using Memory = typename Space::memory_space;
      for (std::size_t c = 0; c < groups.count; c += most) {
        const std::size_t some = std::min(most, groups.count - c);
        Kokkos::parallel_reduce(
            "array columns", Policy(space, 0, static_cast<Index>(groups.length)),
            ColumnSums<Case>{problem.input + c, static_cast<Index>(groups.pitch),
                             static_cast<unsigned>(some)},
            Result<A*, Memory>(reinterpret_cast<A*>(problem.result) + c, some));
      }
    });
  }
};

}  // namespace

namespace library_team_rows {
Run<Queue> find(Type type, Operation op) { return pick<Queue, ByTeamRows>(Reducible{}, type, op); }
}  // namespace library_team_rows
namespace library_nested_rows {
Run<Queue> find(Type type, Operation op) {
  return pick<Queue, ByNestedRows>(Reducible{}, type, op);
}
}  // namespace library_nested_rows
namespace library_array_columns {
Run<Queue> find(Type type, Operation op) { return pick<Queue, ByArray>(Reducible{}, type, op); }
}  // namespace library_array_columns

}  // namespace ladder::kokkos
