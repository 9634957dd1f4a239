// Right rungs that differ from one of the ladder, or from Kokkos's own parallel_reduce, in a single
// point: to tell apart what costs (docs/kokkos.md says what came of it).

#include <algorithm>
#include <array>

#include "kokkos/atomics.hpp"
#include "kokkos/backend.hpp"
#include "kokkos/library/reducers.hpp"
#include "kokkos/passes.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"

namespace ladder::kokkos::faulty::variants {
namespace {

// ---- r04, and what its idioms cost on a GPU

/// `f(leaf)` for each leaf below `count`, by the thread whose rank it is; on a host, where a team
/// has fewer threads than leaves, by a range after all.
template <class Team, class F>
KOKKOS_FUNCTION void by_rank(const Team& team, unsigned count, const F& f) {
  KOKKOS_IF_ON_DEVICE(
      (const auto rank = static_cast<unsigned>(team.team_rank()); if (rank < count) f(rank);))
  KOKKOS_IF_ON_HOST((Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), f);))
}

using Sums = Each<Operation::sum>::Over<Type::i32, Type::i64, Type::f32, Type::f64>;

enum Walk { range, rank };
enum Last { single, first_rank };

/// r04, its leaves walked by a range or taken by rank, its result written in a `single` or by the
/// thread of rank 0.
template <Walk walk, Last last>
struct R04 {
  template <class T, class Op>
  struct Reduce {
    using A = typename Op::value;
    const T* x;
    Index n;
    A* partial;
    unsigned block;

    template <class Team, class F>
    KOKKOS_FUNCTION void each(const Team& team, unsigned count, const F& f) const {
      if constexpr (walk == range) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), f);
      } else {
        by_rank(team, count, f);
      }
    }

    template <class Team>
    KOKKOS_FUNCTION void operator()(const Team& team) const {
      A* const tile = shared_memory<A>(team, block);
      const Index first = Index{team.league_rank()} * block;
      each(team, block, [&](unsigned leaf) {
        const Index i = first + leaf;
        tile[leaf] = i < n ? A(x[i]) : Op::identity();
      });
      team.team_barrier();
      for (unsigned s = block / 2; s > 0; s /= 2) {
        each(team, s, [&](unsigned leaf) { tile[leaf] = Op{}(tile[leaf], tile[leaf + s]); });
        team.team_barrier();
      }
      if constexpr (last == single) {
        Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = tile[0]; });
      } else if (team.team_rank() == 0) {
        partial[team.league_rank()] = tile[0];
      }
    }
  };

  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      using Op = typename Case::function;
      using A = typename Op::value;
      const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
      in_passes<Reduce<typename Case::element, Op>, Reduce<A, Op>>(queue, problem, layout,
                                                                   tuning.block);
    }
  };

  static Run<Queue> find(Type type, Operation op) {
    return pick<Queue, Launch>(Classic{}, type, op);
  }
};

// ---- Kokkos's parallel_reduce, written the ways that users write it

/// What the functor reads through.
enum Read { const_view, view };

template <class Case, class Memory, Read read>
struct Join {
  using value_type = Carried<Case>;
  using T = typename Case::element;
  Kokkos::View<std::conditional_t<read == view, T*, const T*>, Memory,
               Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      x;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i, value_type& mine) const {
    join<Case>(mine, x(i));
  }
};

/// library_range_view, its functor reading a View.
template <Read read>
struct Range {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const ladder::View<Case>& problem, const Tuning&) {
      using A = Carried<Case>;
      using T = typename Case::element;
      queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
        using Memory = typename Space::memory_space;
        using Policy = Kokkos::RangePolicy<Space>;
        const Result<A, Memory> result(reinterpret_cast<A*>(problem.result));
        const Join<Case, Memory, read> functor{
            decltype(functor.x)(const_cast<T*>(problem.input), problem.n)};
        Kokkos::parallel_reduce(
            "range", Policy(space, 0, static_cast<typename Policy::index_type>(problem.n)), functor,
            Reducer<Case, Memory>(result));
      });
    }
  };

  static Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }
};

// ---- Kokkos's parallel_reduce taken apart: the same done by hand, then one thing at a time

/// Where a thread's value lives while it walks, how far the walk is unrolled, how its team's piece
/// of the array lies, what it loads at once, and how the team's values become one.
struct Form {
  bool in_register = false;  ///< else in team scratch, as Kokkos has it
  bool unrolled = false;     ///< four steps of the walk at once; else the compiler's choice
  bool strided = false;      ///< by the league's stride; else each team one contiguous piece
  bool wide = false;         ///< 16 bytes at once; strided only
  bool by_lanes = false;     ///< tree over vector lanes, in registers; else in team scratch
};

template <Form form>
struct ByHand {
  template <class T, class Op>
  struct Reduce {
    using A = typename Op::value;
    static constexpr unsigned vector_length = form.by_lanes ? lanes : 1;
    static constexpr unsigned in_turn = form.by_lanes ? lanes : 1;
    const T* x;
    Index n;
    A* partial;
    unsigned block;
    unsigned* ticket;
    A* result;

    template <class Team>
    KOKKOS_FUNCTION void walk(const Team& team, unsigned leaf, A& mine) const {
      const Index teams = team.league_size();
      const Index first = Index{team.league_rank()} * block + leaf;
      if constexpr (form.wide) {
        const Split at = split(x, n);
        const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);
        if (first < at.head) mine = Op{}(mine, A(x[first]));
        if (first < n - at.tail) mine = Op{}(mine, A(x[at.tail + first]));
        for (Index i = first; i < at.vectors; i += teams * block)
          mine = Op{}(mine, fold<Op, T>(v[i]));
      } else if constexpr (form.strided) {
        for (Index i = first; i < n; i += teams * block) mine = Op{}(mine, A(x[i]));
      } else {
        const Index piece =
            ((n + teams - 1) / teams + 127) / 128 * 128;  // begins with a cache line
        const Index begin = piece * team.league_rank();
        const Index end = begin + piece < n ? begin + piece : n;
        Index i = begin + leaf;
        if constexpr (form.unrolled) {
          LADDER_UNROLLED
          for (Index k = steps(i, end, block); k > 0; --k, i += block) mine = Op{}(mine, A(x[i]));
        } else {
          for (; i < end; i += block) mine = Op{}(mine, A(x[i]));
        }
      }
    }

    /// Combines what each leaf adds to its value; `tile` has one value of each leaf.
    template <class Team, class Leaf>
    KOKKOS_FUNCTION A combine(const Team& team, A* tile, const Leaf& leaf_of) const {
      if constexpr (form.by_lanes) {
        return reduce_team<Op>(team, block, tile, leaf_of);
      } else {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
          if constexpr (form.in_register) {
            A mine = Op::identity();
            leaf_of(leaf, mine);
            tile[leaf] = mine;
          } else {
            tile[leaf] = Op::identity();
            leaf_of(leaf, tile[leaf]);
          }
        });
        team.team_barrier();
        for (unsigned s = block / 2; s > 0; s /= 2) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, s), [&](unsigned leaf) {
            tile[leaf] = Op{}(tile[leaf], tile[leaf + s]);
          });
          team.team_barrier();
        }
        return tile[0];
      }
    }

    template <class Team>
    KOKKOS_FUNCTION void operator()(const Team& team) const {
      A* const tile = shared_memory<A>(team, block);
      unsigned* const drawn = shared_memory<unsigned>(team, 1);
      A all = combine(team, tile, [&](unsigned leaf, A& mine) { walk(team, leaf, mine); });
      Kokkos::single(Kokkos::PerTeam(team), [&] {
        partial[team.league_rank()] = all;
        *drawn = draw(ticket);
      });
      team.team_barrier();
      const auto teams = static_cast<unsigned>(team.league_size());
      if (*drawn != teams - 1) return;
      all = combine(team, tile, [&](unsigned leaf, A& mine) {
        for (unsigned b = leaf; b < teams; b += block) mine = Op{}(mine, partial[b]);
      });
      Kokkos::single(Kokkos::PerTeam(team), [&] {
        *result = all;
        *ticket = 0;
      });
    }
  };

  template <class Case>
  struct Launch {
    static void run(Queue& queue, const ladder::View<Case>& problem, const Tuning& tuning) {
      using T = typename Case::element;
      using Op = typename Case::function;
      using A = typename Op::value;
      const Layout layout{.block = tuning.block,
                          .grid = tuning.grid,
                          .shared = tuning.block * sizeof(A) + sizeof(std::uint64_t)};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = tuning.block, .grid = 1}.pass<A, A>(blocks);
      pass.depth += width<T>;
      queue.launch(Reduce<T, Op>{problem.input, static_cast<Index>(problem.n), partial,
                                 tuning.block, queue.ticket(), problem.result},
                   shape_of(layout, problem.n), pass);
    }
  };

  static Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Sums{}, type, op); }
};

constexpr Tuning covering{.block = 256};
constexpr Tuning fixed{.block = 256, .grid = 8};
constexpr unsigned fixed_grid = block_axis | grid_axis;

// clang-format off
constexpr std::array all{
    Extra{Rung{"variant_r04_rank", "", "r04", "r04, each leaf taken by the thread of that rank: no range walked", "", block_axis},
          Entry{"variant_r04_rank", R04<rank, first_rank>::find, covering}, false},
    Extra{Rung{"variant_r04_single", "", "r04", "r04, the result written in a `single`, not by the thread of rank 0", "", block_axis},
          Entry{"variant_r04_single", R04<range, single>::find, covering}, false},
    Extra{Rung{"variant_range_const_view", "", "", "library_range_view reading a View of const elements", "", no_axis},
          Entry{"variant_range_const_view", Range<const_view>::find, Tuning{}}, true},
    Extra{Rung{"variant_range_of_view", "", "", "library_range_view reading a View of elements that are not const", "", no_axis},
          Entry{"variant_range_of_view", Range<view>::find, Tuning{}}, true},
    Extra{Rung{"variant_hand", "", "", "library_range_view done by hand: a value in team scratch, a contiguous piece a team", "", fixed_grid},
          Entry{"variant_hand", ByHand<Form{}>::find, fixed}, false},
    Extra{Rung{"variant_hand_register", "", "", "variant_hand, the value in a register", "", fixed_grid},
          Entry{"variant_hand_register", ByHand<Form{.in_register = true}>::find, fixed}, false},
    Extra{Rung{"variant_hand_unrolled", "", "", "variant_hand, the walk unrolled by four", "", fixed_grid},
          Entry{"variant_hand_unrolled", ByHand<Form{.unrolled = true}>::find, fixed}, false},
    Extra{Rung{"variant_hand_loads", "", "", "variant_hand_register, the walk unrolled by four: four loads under way", "", fixed_grid},
          Entry{"variant_hand_loads", ByHand<Form{.in_register = true, .unrolled = true}>::find, fixed}, false},
    Extra{Rung{"variant_hand_strided", "", "", "variant_hand, the league striding over the array", "", fixed_grid},
          Entry{"variant_hand_strided", ByHand<Form{.strided = true}>::find, fixed}, false},
    Extra{Rung{"variant_hand_wide", "", "", "variant_hand_strided, 16 bytes at once", "", fixed_grid},
          Entry{"variant_hand_wide", ByHand<Form{.strided = true, .wide = true}>::find, fixed}, false},
    Extra{Rung{"variant_hand_lanes", "", "", "variant_hand_register, the tree over vector lanes", "", fixed_grid},
          Entry{"variant_hand_lanes", ByHand<Form{.in_register = true, .by_lanes = true}>::find, fixed}, false},
};
// clang-format on

}  // namespace

std::span<const Extra> rungs() { return all; }

}  // namespace ladder::kokkos::faulty::variants
