#pragma once

// Segments on GPUs by merge path (Merrill and Garland 2016): equal shares of elements and segment
// ends together. A step takes an element, or ends a segment whose elements are all taken. The first
// element of segment s is step offsets[s] + s, its end step offsets[s + 1] + s.

#include "ladder/kokkos/detail/kokkos_batch.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Steps per leaf and tile; odd, to avoid bank conflicts in team scratch.
inline constexpr unsigned steps_of_a_leaf = 7;

/// A team takes `share` steps of the path. `open`: its carry for a segment that ends in a later
/// team. `head`: the segment that began in an earlier team and ends in it, or -1. The last team to
/// finish combines these in team order.
template <class In, class Offset, class A, class Op, class Identity, class Block>
struct MergePath {
  static constexpr unsigned vector_length = lanes, resident = resident_for<A>;
  static constexpr unsigned width = Access<In>::width;
  using Element = Staged<In, A>;
  In x;
  Segments<Offset> all;
  Index share;
  A* open;
  Index* head;
  unsigned* ticket;
  A* result;
  Op op;
  Identity identity;
  Block block;

  /// Team scratch. Per leaf: carry and end flag, double-buffered for the scan; value up to its
  /// first segment end, and the index of that segment.
  struct Tools {
    Element* tile;
    unsigned* ends;  ///< of the tile's segments, relative to its first element
    A *value[2], *to_first, *warps, *carried;
    unsigned *ended[2], *first, *drawn;
    Index* segments;  ///< ended before the team's first step, and after its last
  };
  static constexpr unsigned none = ~0U;
  static constexpr unsigned steps(unsigned block) { return block * steps_of_a_leaf; }
  static constexpr std::size_t scratch_bytes(unsigned block) {
    return aligned_bytes<Element>(steps(block) + width) + aligned_bytes<unsigned>(steps(block)) +
           aligned_bytes<A>(3 * block + block / lanes + 1) +
           aligned_bytes<unsigned>(3 * block + 1) + aligned_bytes<Index>(2);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Tools own = tools(team);
    const Index begin = team.league_rank() * share, behind = begin + share;
    const Index end = behind < all.n + all.count ? behind : all.n + all.count;
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      if (leaf == 0) *own.carried = identity;
      if (leaf < 2) {
        own.segments[leaf] =
            count_less(all.count, leaf == 0 ? begin : end, [&](Index s) { return end_of(s) + s; });
      }
    });
    team.team_barrier();
    const Index first = own.segments[0], last = own.segments[1];
    for (Index s = first, e = begin - first; e + s < end;) {
      const Index left = end - e - s;
      const unsigned some = left < steps(block) ? static_cast<unsigned>(left) : steps(block);
      const unsigned known = stage_ends(team, own, s, last, e, some);
      if (known == 0 || own.ends[0] >= some) {
        const Index stop = known == 0 ? end - last : end_of(s);
        const Index elements = (stop < end - last ? stop : end - last) - e;
        fold_inside(team, own, advanced(x, e), elements);
        e += elements;
      } else {
        const unsigned ended = count_less(known, some, [&](unsigned i) { return own.ends[i] + i; });
        walk(team, own, s, e, some, ended);
        s += ended;
        e += some - ended;
      }
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const bool began_elsewhere = first < last && begin_of(first) < begin - first;
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
  KOKKOS_FUNCTION Index begin_of(Index s) const { return static_cast<Index>(all.offsets[s]); }
  KOKKOS_FUNCTION Index end_of(Index s) const { return begin_of(s + 1); }

  template <class Team>
  KOKKOS_FUNCTION Tools tools(const Team& team) const {
    Tools own;
    own.tile = aligned_memory<Element>(team, steps(block) + width);
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

  /// Stages segment ends from segment s on, until one exceeds the tile's `some` steps or none is
  /// left; returns their number.
  template <class Team>
  KOKKOS_FUNCTION unsigned stage_ends(const Team& team, const Tools& own, Index s, Index last,
                                      Index e, unsigned some) const {
    const unsigned most = last - s < some ? static_cast<unsigned>(last - s) : some;
    for (unsigned known = 0;;) {
      for_leaves<lanes>(team, block, [&](unsigned leaf) {
        const unsigned i = known + leaf;
        if (i >= most) return;
        const Index until = end_of(s + i) - e;
        own.ends[i] = until < some ? static_cast<unsigned>(until) : some;
      });
      team.team_barrier();
      known = known + block < most ? known + block : most;
      if (known == most || own.ends[known - 1] + known - 1 >= some) return known;
    }
  }

  /// Adds elements of one segment, at least a tile's worth, to the carry.
  template <class Team>
  KOKKOS_FUNCTION void fold_inside(const Team& team, const Tools& own, const In& from,
                                   Index elements) const {
    const A whole = reduce_leaves(
        team, block, own.warps, op, identity,
        [&](unsigned leaf, A& mine) { fold_share(from, elements, leaf, block, op, mine); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *own.carried = op(*own.carried, whole); });
    team.team_barrier();
  }

  /// Processes `some` steps from element e of segment s on; `ended` segments end in them.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const Tools& own, Index s, Index e, unsigned some,
                            unsigned ended) const {
    const Element* const staged =
        stage<lanes, A>(team, block, advanced(x, e), some - ended, own.tile);
    team.team_barrier();
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      unsigned d = leaf * steps_of_a_leaf;
      d = d < some ? d : some;
      const unsigned stop = d + steps_of_a_leaf < some ? d + steps_of_a_leaf : some;
      unsigned i = count_less(ended, d, [&](unsigned k) { return own.ends[k] + k; });
      unsigned first = none;
      A mine = identity;
      for (; d < stop; ++d) {
        if (i == ended || d - i < own.ends[i]) {
          mine = op(mine, static_cast<A>(staged[d - i]));
          continue;
        }
        if (first == none) {
          first = i;
          own.to_first[leaf] = mine;
        } else {
          result[s + i] = mine;
        }
        mine = identity;
        ++i;
      }
      own.value[0][leaf] = mine;
      own.ended[0][leaf] = first != none;
      own.first[leaf] = first;
    });
    team.team_barrier();
    const unsigned at = scan(team, own);
    const auto before = [&](unsigned leaf) {  // carry into it
      if (leaf == 0) return *own.carried;
      const A value = own.value[at][leaf - 1];
      return own.ended[at][leaf - 1] != 0 ? value : op(*own.carried, value);
    };
    for_leaves<lanes>(team, block, [&](unsigned leaf) {
      const unsigned first = own.first[leaf];
      if (first != none) result[s + first] = op(before(leaf), own.to_first[leaf]);
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] { *own.carried = before(block); });
    team.team_barrier();
  }

  /// Segmented scan of the leaves' carries, each up to the nearest leaf with a segment end; returns
  /// the index of the result buffer.
  template <class Team>
  KOKKOS_FUNCTION unsigned scan(const Team& team, const Tools& own) const {
    unsigned from = 0;
    for (unsigned apart = 1; apart < block; apart *= 2, from = 1 - from) {
      for_leaves<lanes>(team, block, [&](unsigned leaf) {
        A value = own.value[from][leaf];
        unsigned ended = own.ended[from][leaf];
        if (ended == 0 && leaf >= apart) {
          value = op(own.value[from][leaf - apart], value);
          ended = own.ended[from][leaf - apart];
        }
        own.value[1 - from][leaf] = value;
        own.ended[1 - from][leaf] = ended;
      });
      team.team_barrier();
    }
    return from;
  }

  /// Adds the carries of earlier teams to each segment that began in them.
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team.league_size()), [&](int t) {
      const Index s = head[t];
      if (s < 0) return;
      const Index since = (begin_of(s) + s) / share;
      const A before = reduce_lanes<A>(team, lanes, op, identity, [&](unsigned lane, A& mine) {
        for (Index k = since + lane; k < t; k += lanes) mine = op(mine, open[k]);
      });
      Kokkos::single(Kokkos::PerThread(team), [&] { result[s] = op(before, result[s]); });
    });
  }
};

/// Leaves per team, limited by scratch for large accumulators.
template <class In, class A>
inline constexpr unsigned merge_leaves = leaves_for(steps_of_a_leaf*(sizeof(Staged<In, A>) + 4) +
                                                    3 * (sizeof(A) + 4));

/// Calls `f(kernel, league)` with one launch over segments.
template <class In, class Offset, class A, class Op, class Identity, class Block, class F>
void with_merge_path(const In& x, const Segments<Offset>& segments, Block block, Index wave,
                     const Partials& room, A* result, const Op& op, const Identity& identity,
                     F&& f) {
  using Kernel = MergePath<In, Offset, A, Op, Identity, Block>;
  const Index tile = Kernel::steps(block), path = segments.n + segments.count;
  const Index most = static_cast<Index>((room.bytes - 16) / (sizeof(A) + sizeof(Index)));
  const Index share = parts_of(path, std::min({wave, parts_of(path, tile), most}));
  const Index teams = parts_of(path, share);
  const std::size_t head_at = (static_cast<std::size_t>(teams) * sizeof(A) + 15) / 16 * 16;
  auto* const head = reinterpret_cast<Index*>(room.as<std::byte>() + head_at);
  const Index joined = parts_of(share, tile) + steps_of_a_leaf + 10 + teams / lanes + 8;
  f(Kernel{x, segments, share, room.as<A>(), head, room.ticket, result, op, identity, block},
    League{teams, block, Kernel::scratch_bytes(block),
           depth_of_share<In>(share, block) + static_cast<std::size_t>(joined)});
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
