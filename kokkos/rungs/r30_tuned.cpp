// r30 tuned: the best that Kokkos could be made to say, by size, type and space; it calls no
// reduction of Kokkos's own over the array. On a GPU it is r31 with what a portable loop costs
// taken out: a thread of the team is its rank and walks no range, it has several loads under way at
// once, and a single team leaves no word. How many teams of how many threads with how many loads
// depends on the bytes. On a host each thread takes one contiguous share, in chains side by side
// that a compiler makes vectors of without being told.

#include <algorithm>

#include "kokkos/atomics.hpp"
#include "kokkos/passes.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"
#include "kokkos/words.hpp"

namespace ladder::kokkos::r30 {
namespace {

/// Combines one value of each lane of the team, which has as many threads as there are warps; the
/// first thread gets the result.
template <class Op, class Team, class Leaf>
KOKKOS_FUNCTION typename Op::value reduce_ranks(const Team& team, unsigned warps,
                                                typename Op::value* tile, const Leaf& leaf) {
  using A = typename Op::value;
  const auto warp = static_cast<unsigned>(team.team_rank());
  A mine = Op::identity();
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, lanes),
      [&](unsigned lane, A& some) { leaf(warp * lanes + lane, some); }, Into<Op>(mine));
  if (warps == 1) return mine;
  Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = mine; });
  team.team_barrier();
  if (warp > 0) return mine;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, warps),
      [&](unsigned w, A& some) { some = Op{}(some, tile[w]); }, Into<Op>(mine));
  return mine;
}

template <class T, class Op, class Block, unsigned vectors>
struct ByRanks {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  const T* x;
  Index n;
  Words words;
  Block block;
  A* result;

  /// The share of a leaf: tiles of `vectors` loads, a league apart, all under way before the first
  /// is used; beyond the end the last one again, since each load under a condition would wait.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const Vector<T>* v, Index count, unsigned leaf,
                            A& mine) const {
    const Index tile = Index{block} * vectors, stride = tile * team.league_size();
    for (Index begin = tile * team.league_rank(); begin < count; begin += stride) {
      const Index i = begin + leaf;
      Vector<T> loaded[vectors];
      if (begin + tile <= count) {
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < vectors; ++k) loaded[k] = v[i + k * block];
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < vectors; ++k) mine = Op{}(mine, fold<Op, T>(loaded[k]));
      } else {
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < vectors; ++k) {
          const Index there = i + k * block;
          loaded[k] = v[there < count ? there : count - 1];
        }
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < vectors; ++k) {
          if (i + k * block < count) mine = Op{}(mine, fold<Op, T>(loaded[k]));
        }
      }
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    unsigned call = 0;
    if (last != 0 && (team.team_rank() == 0 || me == last)) call = number_of_call(words);
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    const A all = reduce_ranks<Op>(team, block / lanes, tile, [&](unsigned leaf, A& mine) {
      walk(team, v, at.vectors, leaf, mine);
      if (me != last) return;
      if (leaf < at.head) mine = Op{}(mine, A(x[leaf]));
      if (leaf < n - at.tail) mine = Op{}(mine, A(x[at.tail + leaf]));
    });
    if (last == 0) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { *result = all; });
      return;
    }
    if (me != last) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { leave(words, me, all, call); });
      return;
    }

    team.team_barrier();
    const A others = reduce_ranks<Op>(team, block / lanes, tile, [&](unsigned leaf, A& mine) {
      collect<Op>(words, leaf, block, last, call, mine);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = Op{}(all, others); });
    finish(team, words, call);
  }
};

/// One team of one thread a share. Four parts of it are read side by side, since a hardware
/// prefetcher ends with a page, and each in 32 chains, which fill two to four vectors.
template <class T, class Op>
struct InShares {
  using A = typename Op::value;
  static constexpr int parts = 4, chains = 32;
  const T* x;
  Index n;
  A* partial;
  unsigned* ticket;
  A* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index teams = team.league_size(), me = team.league_rank();
    const Index begin = n / teams * me + (me < n % teams ? me : n % teams);
    const Index count = n / teams + (me < n % teams ? 1 : 0);
    const Index part = count / parts / chains * chains;
    const T* const from = x + begin;

    A chain[parts][chains];
    for (auto& row : chain) {
      for (A& value : row) value = Op::identity();
    }
    for (Index i = 0; i < part; i += chains) {
      for (int p = 0; p < parts; ++p) {
        for (int c = 0; c < chains; ++c) chain[p][c] = Op{}(chain[p][c], A(from[i + p * part + c]));
      }
    }
    for (int p = 1; p < parts; ++p) {
      for (int c = 0; c < chains; ++c) chain[0][c] = Op{}(chain[0][c], chain[p][c]);
    }
    A mine = Op::identity();
    for (const A& value : chain[0]) mine = Op{}(mine, value);
    for (Index i = parts * part; i < count; ++i) mine = Op{}(mine, A(from[i]));

    partial[me] = mine;
    if (draw(ticket) + 1 != teams) return;
    mine = partial[0];
    for (Index t = 1; t < teams; ++t) mine = Op{}(mine, partial[t]);
    *result = mine;
    *ticket = 0;
  }
};

/// Threads of a team, loads that each has under way, and teams: so many per SM, or one of these.
struct Choice {
  static constexpr unsigned alone = 0, one_pass = ~0U;
  unsigned block, vectors, per_unit;
};

/// By the bytes to be read, as for CUDA (docs/tuned.md).
constexpr Choice choose(std::size_t bytes) {
  constexpr std::size_t ki = 1024, mi = ki * ki;
  if (bytes <= 4 * ki) return {256, 1, Choice::alone};
  if (bytes <= 32 * ki) return {512, 4, Choice::alone};
  if (bytes <= 64 * ki) return {1024, 4, Choice::alone};
  if (bytes <= 512 * ki) return {256, 1, Choice::one_pass};
  if (bytes < 512 * mi) return {512, 4, 4};
  return {1024, 4, 64};
}

/// Calls f<block, vectors>() for what is chosen.
template <class F>
void with_choice(const Choice& choice, F&& f) {
  if (choice.block == 256) return f.template operator()<256, 1>();
  if (choice.block == 512) return f.template operator()<512, 4>();
  f.template operator()<1024, 4>();
}

template <class Case>
struct Launch {
  using T = typename Case::element;
  using Op = typename Case::function;
  using A = typename Op::value;

  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    if constexpr (any_on_host) {
      if (queue.on_host()) return on_host(queue, problem);
    }
    if constexpr (any_on_gpu) on_gpu(queue, problem);
  }

  static void on_gpu(Queue& queue, const View<Case>& problem) {
    const Choice choice = choose(problem.n * sizeof(T));
    with_choice(choice, [&]<unsigned block, unsigned vectors>() {
      const std::size_t needed = ceil_div(problem.n, std::size_t{block} * vectors * width<T>);
      const std::size_t most = choice.per_unit == Choice::alone ? 1
                               : choice.per_unit == Choice::one_pass
                                   ? needed
                                   : choice.per_unit * queue.facts().units;
      const Layout layout{.block = block,
                          .items = width<T> * vectors,
                          .grid = static_cast<unsigned>(std::min(needed, most)),
                          .shared = whole_words<A>(block / lanes) * sizeof(A)};
      const std::size_t blocks = layout.blocks(problem.n);
      Pass pass = layout.pass<T, A>(problem.n);
      if (blocks > 1) pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      const ByRanks<T, Op, Known<block>, vectors> reduce{
          problem.input, static_cast<Index>(problem.n), queue.words<A>(blocks), {}, problem.result};
      queue.launch(reduce, shape_of(layout, problem.n), pass);
    });
  }

  static void on_host(Queue& queue, const View<Case>& problem) {
    const std::size_t teams = queue.concurrency();
    A* const partial = queue.scratch<A>(teams);
    const InShares<T, Op> reduce{problem.input, static_cast<Index>(problem.n), partial,
                                 queue.ticket(), problem.result};
    const std::size_t share = ceil_div(problem.n, teams * 128);
    queue.launch(reduce, Shape{teams, 1, 0},
                 Pass{.read_bytes = problem.n * sizeof(T) + teams * sizeof(A),
                      .written_bytes = (teams + 1) * sizeof(A),
                      .depth = share + 4 + 32 + 128 + teams});
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::kokkos::r30
