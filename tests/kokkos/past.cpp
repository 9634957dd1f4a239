// What Kokkos's r27, r28 and r29 take longer than the native ones, part by part: each variant is
// the rung on a GPU in all but what it says (docs/past.md tells what was expected).

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "common/compensated.hpp"
#include "common/model/subtrees.hpp"
#include "kokkos/atomics.hpp"
#include "kokkos/backend.hpp"
#include "kokkos/exact.hpp"
#include "kokkos/passes.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"
#include "tests/kokkos/natively.hpp"

namespace ladder::kokkos {

namespace r27 {
Run<Queue> find(Type, Operation);
}
namespace r28 {
Run<Queue> find(Type, Operation);
}
namespace r29 {
Run<Queue> find(Type, Operation);
}

#if LADDER_KOKKOS_CUDA
/// In place of `pick`, so that what the rungs launch is not compiled a second time.
template <class Of, template <class> class Launch, class Cases>
Run<Of> picked_elsewhere(Cases, Type, Operation) {
  return nullptr;
}
#endif

}  // namespace ladder::kokkos

// The rungs' own functors, which their files alone have: what is launched is the same code.
#if LADDER_KOKKOS_CUDA
#define find find_nothing
#define pick picked_elsewhere
#include "kokkos/rungs/r27_compensated.cpp"
#include "kokkos/rungs/r28_fixed_tree.cpp"
#include "kokkos/rungs/r29_order_free.cpp"
#undef find
#undef pick
#endif

namespace ladder::kokkos::faulty::past {
namespace {

/// What is other than in the rung.
struct Form {
  bool shuffles = false;  ///< trees by CUDA's shuffles, not by vector lanes or in team scratch
  bool plain = false;     ///< launched by CUDA itself, with no frame of Kokkos's around the functor
  bool in_rows = false;   ///< r28: the last team's threads read partials side by side, as CUDA's do
  bool roomy = false;     ///< r29: its compiler told that one team at a time is enough
};

#if LADDER_KOKKOS_CUDA
using small_sizes::by_shuffles, small_sizes::lane_of_thread, small_sizes::launch_bare;
using T = float;

template <class Team>
KOKKOS_FUNCTION bool is_first(const Team& team) {
  return team.team_rank() == 0 && lane_of_thread() == 0;
}

/// Without Kokkos's frame the compiler has to be told what it does there by itself: room for full
/// SMs.
template <class Block>
struct Full27 : r27::Reduce<T, Block> {
  static constexpr unsigned resident = 2048 / Block::known;
};

template <class Block>
struct Shuffled27 : r27::Reduce<T, Block> {
  using Base = r27::Reduce<T, Block>;
  using Op = CompensatedSum<T>;
  using A = typename Op::value;
  using Base::x, Base::n, Base::partial, Base::block, Base::ticket, Base::result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    A all =
        by_shuffles<Block::known>(team, tile, Op{}, Op::identity(), [&](unsigned leaf, A& mine) {
          const Index first = before + leaf;
          if (first < at.head) mine = Op{}(mine, A(x[first]));
          if (first < n - at.tail) mine = Op{}(mine, A(x[at.tail + first]));
          Index i = first;
          LADDER_UNROLLED
          for (Index k = steps(first, at.vectors, stride); k > 0; --k, i += stride)
            mine = Op{}(mine, fold<Op, T>(v[i]));
        });
    if (is_first(team)) {
      partial[team.league_rank()] = all;
      *drawn = draw(ticket);
    }
    team.team_barrier();
    const auto blocks = static_cast<unsigned>(team.league_size());
    if (*drawn != blocks - 1) return;

    all = by_shuffles<Block::known>(team, tile, Op{}, Op::identity(), [&](unsigned leaf, A& mine) {
      for (unsigned b = leaf; b < blocks; b += block) mine = Op{}(mine, partial[b]);
    });
    if (!is_first(team)) return;
    *result = Op::rounded(all);
    *ticket = 0;
  }
};

/// `count` values of a thread's lanes, neighbours first: in the first lane.
template <unsigned count, class Op, class A>
KOKKOS_FUNCTION A join_neighbours(A mine) {
  KOKKOS_IF_ON_DEVICE((_Pragma("unroll") for (unsigned s = 1; s < count; s *= 2) mine =
                           Op{}(mine, ladder::cuda::from_above(mine, s));))
  return mine;
}

template <bool in_rows, class Op, class Block>
struct Shuffled28 : r28::Reduce<T, Op, Block> {
  using Base = r28::Reduce<T, Op, Block>;
  using A = typename Base::A;
  using Crew = typename Base::Crew;
  using Base::x, Base::n, Base::subtrees, Base::partial, Base::block, Base::ticket, Base::result,
      Base::at_once;
  static_assert(Crew::threads == lanes, "a thread's lanes have one chunk");
  static constexpr unsigned threads = Block::known / lanes;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, block);
    A* const tops = shared_memory<A>(team, lanes);
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const auto blocks = static_cast<unsigned>(team.league_size());
    const auto thread = static_cast<unsigned>(team.team_rank());
    const unsigned lane = lane_of_thread(), leaf = thread * lanes + lane;

    for (auto i = static_cast<unsigned>(team.league_rank()); i < subtrees.count; i += blocks) {
      for (unsigned turn = 0; turn < subtrees.turns; ++turn) {
        const Index chunk = (Index{i} * subtrees.turns + turn) * threads + thread;
        const A value = of_chunk(chunk * Crew::chunk, lane);
        if (lane == 0) tile[turn * threads + thread] = value;
      }
      const A value = join_tile(team, tile, tops, subtrees.turns * threads);
      if (is_first(team)) partial[i] = value;
    }

    if (is_first(team)) *drawn = draw(ticket);
    team.team_barrier();
    if (*drawn != blocks - 1) return;

    for (unsigned left = subtrees.count, values = 0; values != 1; left = values) {
      values = (left - 1) / (at_once * block) + 1;
      for (unsigned v = 0; v < values; ++v) {
        A value;
        if constexpr (in_rows) {
          A mine[at_once];
          LADDER_UNROLLED_WHOLE
          for (unsigned k = 0; k < at_once; ++k) {
            const unsigned i = (v * at_once + k) * block + leaf;
            mine[k] = i < left ? partial[i] : Op::identity();
          }
          LADDER_UNROLLED_WHOLE
          for (unsigned k = 0; k < at_once; ++k) {
            const A row = join_neighbours<lanes, Op>(mine[k]);
            if (lane == 0) tile[k * threads + thread] = row;
          }
          value = join_tile(team, tile, tops, at_once * threads);
        } else {
          tile[leaf] = Base::of_partials((v * block + leaf) * at_once, left);
          value = join_tile(team, tile, tops, block);
        }
        if (is_first(team)) partial[v] = value;
      }
      team.team_barrier();
    }
    if (!is_first(team)) return;
    const A all = *partial;
    *result = all == all ? all : std::numeric_limits<A>::quiet_NaN();
    *ticket = 0;
  }

  /// The chunk from element `first` on, or what is left of it, as one value: in the first lane.
  KOKKOS_FUNCTION A of_chunk(Index first, unsigned lane) const {
    A mine[Crew::lanes];
    Base::of_rows(x + first, n - first, lane * Crew::lanes, mine);
    KOKKOS_IF_ON_DEVICE((_Pragma("unroll") for (unsigned s = lanes / 2; s > 0; s /= 2) {
      _Pragma("unroll") for (A& value : mine) value =
          Op{}(value, ladder::cuda::from_above(value, s));
    }))
    LADDER_UNROLLED_WHOLE
    for (unsigned s = Crew::lanes / 2; s > 0; s /= 2) {
      LADDER_UNROLLED_WHOLE
      for (unsigned l = 0; l < s; ++l) mine[l] = Op{}(mine[l], mine[l + s]);
    }
    return mine[0];
  }

  /// The first `count` values of the tile, at most one for each leaf, neighbours first: in the
  /// first lane of the first thread. The tile may be written again behind it.
  template <class Team>
  KOKKOS_FUNCTION A join_tile(const Team& team, const A* tile, A* tops, unsigned count) const {
    const auto thread = static_cast<unsigned>(team.team_rank());
    const unsigned lane = lane_of_thread(), leaf = thread * lanes + lane;
    team.team_barrier();
    A mine = join_neighbours<lanes, Op>(leaf < count ? tile[leaf] : Op::identity());
    if (lane == 0) tops[thread] = mine;
    team.team_barrier();
    if (thread == 0)
      mine = join_neighbours<threads, Op>(lane < threads ? tops[lane] : Op::identity());
    return mine;
  }
};

/// As it is, the compiler keeps to 64 registers, so that two teams of 512 are resident, and puts
/// the rest into memory.
template <class A, class Block>
struct Roomy29 : r29::Reduce<T, A, Block> {
  static constexpr unsigned resident = 1;
};

template <class A, class Block>
struct Shuffled29 : r29::Reduce<T, A, Block> {
  using Base = r29::Reduce<T, A, Block>;
  using Base::x, Base::n, Base::partial, Base::block, Base::digits, Base::ticket, Base::result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using exact::Add;
    auto* const tile = shared_memory<exact::Wide>(team, block / lanes);
    auto* const digit = shared_memory<std::int64_t>(team, exact::digits);
    auto* const drawn = shared_memory<unsigned>(team, 1);
    const auto me = static_cast<unsigned>(team.league_rank());
    const Index before = Index{me} * block;
    const Index stride = Index{team.league_size()} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);
    const int place = place_by_samples(x, n);

    exact::Wide all = by_shuffles<Block::known>(
        team, tile, Add{}, Add::identity(), [&](unsigned leaf, exact::Wide& mine) {
          const Index first = before + leaf;
          ExactSum<T> sum(place, digits, me);
          if (first < at.head) sum.add(x + first, 1);
          if (first < n - at.tail) sum.add(x + at.tail + first, 1);
          Index i = first;
          for (Index k = steps(first, at.vectors, stride), taken; k > 0;
               k -= taken, i += taken * stride)
            taken = sum.add(v + i, stride, k);
          mine = Add{}(mine, sum.finish(place));
        });
    if (is_first(team)) {
      partial[me] = all;
      *drawn = draw(ticket);
    }
    team.team_barrier();
    const auto blocks = static_cast<unsigned>(team.league_size());
    if (*drawn != blocks - 1) return;

    all = by_shuffles<Block::known>(team, tile, Add{}, Add::identity(),
                                    [&](unsigned leaf, exact::Wide& mine) {
                                      for (unsigned b = leaf; b < blocks; b += block)
                                        mine = Add{}(mine, partial[b]);
                                    });
    if (is_first(team)) *ticket = 0;
    team.team_barrier();
    round_once(team, all, exact::lowest<T>(place), digits, digit, tile, result);
  }
};

template <Form form, class Kernel>
void launch(Queue& queue, const Kernel& kernel, const Shape& shape, const Pass& pass) {
  if constexpr (form.plain) {
    queue.library(pass, [&](const auto& space) {
      launch_bare<decltype(kernel.block)::known>(space, kernel, shape);
    });
  } else {
    queue.launch(kernel, shape, pass);
  }
}

/// A rung's functor, or what adds nothing to it but code.
template <class Kernel, class Own>
Kernel made(const Own& own) {
  if constexpr (std::is_same_v<Kernel, Own>) {
    return own;
  } else {
    return Kernel{own};
  }
}

/// The rungs' launches, as their files have them.
template <Form form, class Case, class Block>
void run_27(Queue& queue, const View<Case>& problem, const Tuning& tuning, Block block) {
  using A = Compensated<T>;
  using Own = std::conditional_t<form.plain, Full27<Block>, r27::Reduce<T, Block>>;
  using Kernel = std::conditional_t<form.shuffles, Shuffled27<Block>, Own>;
  const Layout layout{.block = block,
                      .items = width<T>,
                      .grid = tuning.grid,
                      .shared = whole_words<A>(block / lanes) * sizeof(A) + sizeof(std::uint64_t)};
  const std::size_t blocks = layout.blocks(problem.n);
  A* const partial = queue.scratch<A>(blocks);
  Pass pass = layout.pass<T, A>(problem.n);
  pass += Layout{.block = block, .grid = 1}.pass<A, T>(blocks);
  const r27::Reduce<T, Block> reduce{
      problem.input, static_cast<Index>(problem.n), partial, block, queue.ticket(), problem.result};
  launch<form>(queue, made<Kernel>(reduce), shape_of(layout, problem.n), pass);
}

template <Form form, class Case, class Block>
void run_28(Queue& queue, const View<Case>& problem, const Tuning& tuning, Block block) {
  using Op = typename Case::function;
  using A = typename Op::value;
  using Crew = ladder::Crew<T, A>;
  using Own = r28::Reduce<T, Op, Block>;
  using Kernel = std::conditional_t<form.shuffles, Shuffled28<form.in_rows, Op, Block>, Own>;
  const Subtrees subtrees(problem.n, Crew::chunk * (block / Crew::threads));
  const std::size_t teams = blocks_for(subtrees.count, 1, tuning.grid);
  const std::size_t partials = subtrees.count * sizeof(A);
  const Pass pass{.read_bytes = problem.n * sizeof(T) + partials,
                  .written_bytes = partials + sizeof(A),
                  .depth = depth_of(Crew::tree, problem.n)};
  const Own reduce{problem.input, static_cast<Index>(problem.n),
                   subtrees,      queue.scratch<A>(subtrees.count),
                   block,         queue.ticket(),
                   problem.result};
  const std::size_t values = form.shuffles ? block + lanes : (Crew::lanes + 1) * block;
  launch<form>(queue, made<Kernel>(reduce),
               Shape{teams, block, values * sizeof(A) + sizeof(std::uint64_t)}, pass);
}

template <Form form, class Case, class Block>
void run_29(Queue& queue, const View<Case>& problem, const Tuning& tuning, Block block) {
  using A = typename Case::accumulator;
  using Own = r29::Reduce<T, A, Block>;
  using Given = std::conditional_t<form.roomy, Roomy29<A, Block>, Own>;
  using Kernel = std::conditional_t<form.shuffles, Shuffled29<A, Block>, Given>;
  const Layout layout{
      .block = block,
      .items = width<T>,
      .grid = tuning.grid,
      .shared = block / lanes * sizeof(exact::Wide) + (exact::digits + 1) * sizeof(std::int64_t)};
  const std::size_t blocks = layout.blocks(problem.n);
  auto* const partial = queue.scratch<exact::Wide>(blocks);
  Pass pass = layout.pass<T, exact::Wide>(problem.n);
  pass += Layout{.block = block, .grid = 1}.pass<exact::Wide, A>(blocks);
  pass.depth = 1;
  const Own reduce{
      problem.input, static_cast<Index>(problem.n), partial, block, queue.digits(), queue.ticket(),
      problem.result};
  launch<form>(queue, made<Kernel>(reduce), shape_of(layout, problem.n), pass);
}
#endif

template <unsigned rung, Form form>
struct Variant {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      if (queue.on_host()) {  // the rung itself
        constexpr auto find = rung == 27 ? r27::find : rung == 28 ? r28::find : r29::find;
        const Problem same{problem.input, problem.n, Case::type, Case::operation, problem.result};
        return find(Case::type, Case::operation)(queue, same, tuning);
      }
#if LADDER_KOKKOS_CUDA
      ladder::with_block<256, 512>(tuning.block, [&]<unsigned block>() {
        constexpr Known<block> known;
        if constexpr (rung == 27) run_27<form, Case>(queue, problem, tuning, known);
        if constexpr (rung == 28) run_28<form, Case>(queue, problem, tuning, known);
        if constexpr (rung == 29) run_29<form, Case>(queue, problem, tuning, known);
      });
#endif
    }
  };

  static Run<Queue> find(Type type, Operation op) {
    using Floats = Each<Operation::sum>::Over<Type::f32>;
    return pick<Queue, Launch>(Floats{}, type, op);
  }
};

template <unsigned rung, Form form>
consteval Extra variant(std::string_view id, std::string_view idea) {
  const std::string_view base = rung == 27 ? "r27" : rung == 28 ? "r28" : "r29";
  const Rung info{id, "", base, idea, "", block_axis | grid_axis};
  if constexpr (!small_sizes::natively) return {info, Entry{id, "has words of CUDA's"}, false};
  const Tuning defaults =
      rung == 28 ? Tuning{.block = 256, .grid = 8} : Tuning{.block = 512, .grid = 4};
  return {info, Entry{id, Variant<rung, form>::find, defaults}, false};
}

constexpr Form shuffles{.shuffles = true}, plain{.plain = true};
constexpr Form both{.shuffles = true, .plain = true};
constexpr Form all_three{.shuffles = true, .plain = true, .in_rows = true};

// clang-format off
constexpr std::array all{
    variant<27, shuffles>("variant_past_r27_shuffles", "r27, its trees by CUDA's shuffles"),
    variant<27, plain>("variant_past_r27_plain", "r27's functor launched by CUDA, in no frame of Kokkos's"),
    variant<27, both>("variant_past_r27_native", "variant_past_r27_shuffles and _plain at once"),
    variant<28, shuffles>("variant_past_r28_shuffles", "r28, its trees by CUDA's shuffles"),
    variant<28, plain>("variant_past_r28_plain", "r28's functor launched by CUDA, in no frame of Kokkos's"),
    variant<28, all_three>("variant_past_r28_native", "variant_past_r28_shuffles and _plain at once, partials read side by side"),
    variant<29, shuffles>("variant_past_r29_shuffles", "r29, its trees by CUDA's shuffles"),
    variant<29, plain>("variant_past_r29_plain", "r29's functor launched by CUDA, in no frame of Kokkos's"),
    variant<29, Form{.roomy = true}>("variant_past_r29_roomy", "r29, its compiler told that one team at a time is enough"),
    variant<29, both>("variant_past_r29_native", "variant_past_r29_shuffles and _plain at once"),
};
// clang-format on

}  // namespace

std::span<const Extra> rungs() { return all; }

}  // namespace ladder::kokkos::faulty::past
