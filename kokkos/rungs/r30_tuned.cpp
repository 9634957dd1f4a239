// r30 tuned: the best that Kokkos could be made to say, by size, type and space; it calls no
// reduction of Kokkos's own over the array. On a GPU it is r20 with what a portable loop costs
// taken out: a thread of the team is its rank and walks no range, a single team draws no ticket,
// and only the last team pays the second fence. How many teams of how many threads depends on the
// bytes. On a host each thread takes one contiguous share, in chains side by side that a compiler
// makes vectors of without being told.

#include "kokkos/atomics.hpp"
#include "kokkos/passes.hpp"
#include "kokkos/team.hpp"
#include "kokkos/vector.hpp"

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

template <class T, class Op, class Block>
struct ByRanks {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  const T* x;
  Index n;
  A* partial;
  Block block;
  unsigned* ticket;
  A* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile = shared_memory<A>(team, whole_words<A>(block / lanes));
    unsigned* const drawn = shared_memory<unsigned>(team, 1);
    const auto teams = static_cast<unsigned>(team.league_size());
    const Index before = Index{team.league_rank()} * block, stride = Index{teams} * block;
    const Split at = split(x, n);
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + at.head);

    A all = reduce_ranks<Op>(team, block / lanes, tile, [&](unsigned leaf, A& mine) {
      const Index first = before + leaf;
      if (first < at.head) mine = Op{}(mine, A(x[first]));
      if (first < n - at.tail) mine = Op{}(mine, A(x[at.tail + first]));
      Index i = first;
      LADDER_UNROLLED
      for (Index k = steps(first, at.vectors, stride); k > 0; --k, i += stride)
        mine = Op{}(mine, fold<Op, T>(v[i]));
    });
    if (teams == 1) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { *result = all; });
      return;
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      partial[team.league_rank()] = all;
      Kokkos::memory_fence();
      *drawn = Kokkos::atomic_fetch_add(ticket, 1U);
    });
    team.team_barrier();
    if (*drawn != teams - 1) return;

    Kokkos::memory_fence();
    all = reduce_ranks<Op>(team, block / lanes, tile, [&](unsigned leaf, A& mine) {
      for (unsigned b = leaf; b < teams; b += block) mine = Op{}(mine, partial[b]);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *result = all;
      *ticket = 0;
    });
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

/// Threads of a team and teams on each multiprocessor.
struct Choice {
  unsigned block, per_unit;
};

/// By the bytes to be read; tried on an H200, docs/ladder.md. A block of 256 threads is the
/// quickest to begin and to end, one of 1024 reads the best.
constexpr Choice choose(std::size_t bytes) {
  if (bytes <= std::size_t{128} << 10) return {1024, 0};
  if (bytes <= std::size_t{1} << 20) return {256, 2};
  if (bytes < std::size_t{512} << 20) return {512, 2};
  return {1024, 4};
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
    ladder::with_block<256, 512, 1024>(choice.block, [&]<unsigned block>() {
      const unsigned units = queue.facts().units;
      const Layout layout{
          .block = block,
          .items = width<T>,
          .grid = choice.per_unit == 0 ? 1 : choice.per_unit * units,
          .shared = whole_words<A>(block / lanes) * sizeof(A) + sizeof(std::uint64_t)};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      if (blocks > 1) pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      const ByRanks<T, Op, Known<block>> reduce{problem.input,  static_cast<Index>(problem.n),
                                                partial,        {},
                                                queue.ticket(), problem.result};
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
