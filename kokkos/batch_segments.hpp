#pragma once

// Segments, by equal shares of elements and ends of segments together (a merge path: Merrill and
// Garland 2016). A step of the path takes an element, or ends a segment all of whose elements are
// taken: the first element of segment s is step offsets[s] + s, its end step offsets[s + 1] + s.

#include <bit>
#include <cstdint>

#include "kokkos/batch_staged.hpp"

namespace ladder::kokkos {

/// How many of `count` ascending values v(0), v(1), ... are less than d.
template <class I, class Limit, class Value>
KOKKOS_FUNCTION I count_less(I count, Limit d, const Value& v) {
  I low = 0;
  while (count > 0) {
    const I half = count / 2;
    const bool less = v(low + half) < d;
    low = less ? low + half + 1 : low;
    count = less ? count - half - 1 : half;
  }
  return low;
}

/// A team has `share` steps of the path. What it has of a segment that ends elsewhere it leaves in
/// `open`; `head` says which segment it ends that began elsewhere, or -1. The team that ends last
/// joins these in the order of the teams.
template <class T, class Op, class Block>
struct MergePath {
  using A = typename Op::value;
  static constexpr unsigned vector_length = lanes;
  static constexpr unsigned in_turn = lanes;
  static constexpr unsigned resident = batch_resident;
  /// Of a leaf in a tile; odd, lest leaves ask one bank of team scratch.
  static constexpr unsigned steps_of_a_leaf = 7;
  const T* x;
  const std::int64_t* offsets;
  A* result;
  Index n, count, share;
  A* open;
  std::int64_t* head;
  unsigned* ticket;
  Block block;

  /// A team's scratch: of each leaf what is open behind it and whether it ends a segment, twice,
  /// since they are scanned; and what it has up to its first end, and which that is.
  struct Tools {
    T* tile;
    unsigned* ends;  ///< of the tile's segments, counted from its first element
    A *value[2], *to_first, *warps, *carried;
    unsigned *ended[2], *first, *drawn;
    Index* segments;  ///< that have ended before the team's first step, and behind its last
  };
  static constexpr unsigned none = ~0U;
  static constexpr unsigned steps(unsigned block) { return block * steps_of_a_leaf; }
  static constexpr std::size_t scratch_bytes(unsigned block) {
    return aligned_bytes<T>(steps(block) + width<T>) + aligned_bytes<unsigned>(steps(block)) +
           aligned_bytes<A>(3 * block + block / lanes + 1) +
           aligned_bytes<unsigned>(3 * block + 1) + aligned_bytes<Index>(2);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Tools own = tools(team);
    const Index begin = team.league_rank() * share, behind = begin + share;
    const Index end = behind < n + count ? behind : n + count;
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      if (leaf == 0) *own.carried = Op::identity();
      if (leaf < 2) {
        own.segments[leaf] =
            count_less(count, leaf == 0 ? begin : end, [&](Index s) { return offsets[s + 1] + s; });
      }
    });
    team.team_barrier();
    const Index first = own.segments[0], last = own.segments[1];
    for (Index s = first, e = begin - first; e + s < end;) {
      const Index left = end - e - s;
      const unsigned some = left < steps(block) ? static_cast<unsigned>(left) : steps(block);
      const unsigned known = stage_ends(team, own, s, last, e, some);
      if (known == 0 || own.ends[0] >= some) {
        const Index stop = known == 0 ? end - last : offsets[s + 1];
        const Index elements = (stop < end - last ? stop : end - last) - e;
        fold_inside(team, own, x + e, elements);
        e += elements;
      } else {
        const unsigned ended = count_less(known, some, [&](unsigned i) { return own.ends[i] + i; });
        walk(team, own, s, e, some, ended);
        s += ended;
        e += some - ended;
      }
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const bool began_elsewhere = first < last && offsets[first] < begin - first;
      open[team.league_rank()] = *own.carried;
      head[team.league_rank()] = began_elsewhere ? first : -1;
      *own.drawn = draw(ticket);
    });
    team.team_barrier();
    if (*own.drawn != static_cast<unsigned>(team.league_size()) - 1) return;
    join(team);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *ticket = 0; });
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION Tools tools(const Team& team) const {
    Tools own;
    own.tile = aligned_memory<T>(team, steps(block) + width<T>);
    own.ends = aligned_memory<unsigned>(team, steps(block));
    A* const values = aligned_memory<A>(team, 3 * block + block / lanes + 1);
    own.value[0] = values;
    own.value[1] = values + block;
    own.to_first = values + 2 * block;
    own.warps = values + 3 * block;
    own.carried = own.warps + block / lanes;
    unsigned* const words = aligned_memory<unsigned>(team, 3 * block + 1);
    own.ended[0] = words;
    own.ended[1] = words + block;
    own.first = words + 2 * block;
    own.drawn = words + 3 * block;
    own.segments = aligned_memory<Index>(team, 2);
    return own;
  }

  /// Brings ends from segment s on, until one is past the tile's `some` steps or all are there;
  /// returns how many.
  template <class Team>
  KOKKOS_FUNCTION unsigned stage_ends(const Team& team, const Tools& own, Index s, Index last,
                                      Index e, unsigned some) const {
    const unsigned most = last - s < some ? static_cast<unsigned>(last - s) : some;
    for (unsigned known = 0;;) {
      for_leaves<lanes>(team, block, [&](unsigned leaf) {
        const unsigned i = known + leaf;
        if (i >= most) return;
        const Index until = offsets[s + 1 + i] - e;
        own.ends[i] = until < some ? static_cast<unsigned>(until) : some;
      });
      team.team_barrier();
      known = known + block < most ? known + block : most;
      if (known == most || own.ends[known - 1] + known - 1 >= some) return known;
    }
  }

  /// Elements of one segment, as many as a tile has or more, join what is carried.
  template <class Team>
  KOKKOS_FUNCTION void fold_inside(const Team& team, const Tools& own, const T* from,
                                   Index elements) const {
    const Split at = split(from, elements);
    const auto* const v = reinterpret_cast<const Vector<T>*>(from + at.head);
    const A all = reduce_team<Op>(team, block, own.warps, [&](unsigned leaf, A& mine) {
      if (leaf < at.head) mine = Op{}(mine, A(from[leaf]));
      if (leaf < elements - at.tail) mine = Op{}(mine, A(from[at.tail + leaf]));
      Index i = leaf;
      LADDER_UNROLLED
      for (Index k = kokkos::steps(i, at.vectors, block); k > 0; --k, i += block)
        mine = Op{}(mine, fold<Op, T>(v[i]));
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *own.carried = Op{}(*own.carried, all); });
    team.team_barrier();
  }

  /// A tile of `some` steps from element e of segment s on, in which `ended` segments end.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const Tools& own, Index s, Index e, unsigned some,
                            unsigned ended) const {
    const T* const staged = stage<lanes>(team, block, x + e, some - ended, own.tile);
    team.team_barrier();
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      unsigned d = leaf * steps_of_a_leaf;
      d = d < some ? d : some;
      const unsigned stop = d + steps_of_a_leaf < some ? d + steps_of_a_leaf : some;
      unsigned i = count_less(ended, d, [&](unsigned k) { return own.ends[k] + k; });
      unsigned first = none;
      A mine = Op::identity();
      for (; d < stop; ++d) {
        if (i == ended || d - i < own.ends[i]) {
          mine = Op{}(mine, A(staged[d - i]));
          continue;
        }
        if (first == none) {
          first = i;
          own.to_first[leaf] = mine;
        } else {
          result[s + i] = mine;
        }
        mine = Op::identity();
        ++i;
      }
      own.value[0][leaf] = mine;
      own.ended[0][leaf] = first != none;
      own.first[leaf] = first;
    });
    team.team_barrier();
    const unsigned at = scan(team, own);
    const auto before = [&](unsigned leaf) {  // what is open in front of it
      if (leaf == 0) return *own.carried;
      const A value = own.value[at][leaf - 1];
      return own.ended[at][leaf - 1] != 0 ? value : Op{}(*own.carried, value);
    };
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      const unsigned first = own.first[leaf];
      if (first != none) result[s + first] = Op{}(before(leaf), own.to_first[leaf]);
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] { *own.carried = before(block); });
    team.team_barrier();
  }

  /// Joins what is open behind each leaf with what is open behind those before it, as far back as
  /// one that ends a segment; returns where the outcome is.
  template <class Team>
  KOKKOS_FUNCTION unsigned scan(const Team& team, const Tools& own) const {
    unsigned from = 0;
    for (unsigned apart = 1; apart < block; apart *= 2, from = 1 - from) {
      for_leaves<lanes>(team, block, [&](unsigned leaf) {
        A value = own.value[from][leaf];
        unsigned ended = own.ended[from][leaf];
        if (ended == 0 && leaf >= apart) {
          value = Op{}(own.value[from][leaf - apart], value);
          ended = own.ended[from][leaf - apart];
        }
        own.value[1 - from][leaf] = value;
        own.ended[1 - from][leaf] = ended;
      });
      team.team_barrier();
    }
    return from;
  }

  /// A segment that ends in a team and began in an earlier one gets what all teams from there on
  /// have left open.
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team.league_size()), [&](int t) {
      const Index s = head[t];
      if (s < 0) return;
      const Index since = (offsets[s] + s) / share;
      A all = Op::identity();
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, A& mine) {
            for (Index k = since + lane; k < t; k += lanes) mine = Op{}(mine, open[k]);
          },
          Into<Op>(all));
      Kokkos::single(Kokkos::PerThread(team), [&] { result[s] = Op{}(all, result[s]); });
    });
  }
};

/// One launch over segments.
template <class Case>
void by_merge_path(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  with_batch_block(queue, batch_block, [&]<class Block>(Block block) {
    using Kernel = MergePath<T, Op, Block>;
    const std::size_t tile = Kernel::steps(block), path = problem.n + problem.groups.count;
    const std::size_t teams = std::min(one_wave(queue), ceil_div(path, tile));
    const std::size_t share = ceil_div(path, teams), used = ceil_div(path, share);
    A* const open = queue.scratch<A>(used);
    auto* const head = queue.scratch<std::int64_t>(used);
    const Layout inside{.block = block, .items = width<T>, .grid = 1};
    const std::size_t chain = inside.pass<T, A>(share).depth + ceil_div(share, tile);
    Pass pass = groups_pass(problem, chain + Kernel::steps_of_a_leaf + 10 + used / lanes + 8);
    pass.read_bytes += (problem.groups.count + 1) * sizeof(std::int64_t) +
                       used * (sizeof(A) + sizeof(std::int64_t));
    pass.written_bytes += used * (sizeof(A) + sizeof(std::int64_t));
    queue.launch(Kernel{problem.input, problem.groups.offsets, problem.result,
                        static_cast<Index>(problem.n), static_cast<Index>(problem.groups.count),
                        static_cast<Index>(share), open, head, queue.ticket(), block},
                 league(used, block, Kernel::scratch_bytes(block)), pass);
  });
}

}  // namespace ladder::kokkos
