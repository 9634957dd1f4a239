#pragma once

// Segments on GPUs by merge path (Merrill and Garland 2016): equal shares of elements and segment
// ends together. An element is one step, a segment end `end_steps`. The steps of segment s end at
// offsets[s + 1] + end_steps * (s + 1).

#include "ladder/kokkos/detail/kokkos_batch_tile.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// A thread's vector lanes take `share` steps of the path, in tiles of elements that begin at cache
/// lines, without a barrier. The last team to finish combines the teams' carries in their order.
template <class In, class Offset, class A, class Op, class Identity, class Block>
struct MergePath {
  static constexpr unsigned vector_length = lanes, resident = resident_for<A>;
  using Tiles = SegmentTile<In, Offset, A, Op, Identity>;
  using Scratch = typename Tiles::Scratch;
  Tiles tiles;
  Index share;
  Carry<A>* carries;
  unsigned* ticket;
  Block block;

  static_assert(sizeof(Scratch) >= 2 * lanes * sizeof(Carry<A>), "room for join");
  static constexpr std::size_t scratch_bytes(unsigned block) {
    return aligned_bytes<Scratch>(block / lanes) + aligned_bytes<unsigned>(1);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const unsigned warps = block / lanes;
    Scratch* const scratch = aligned_memory<Scratch>(team, warps);
    unsigned* const drawn = aligned_memory<unsigned>(team, 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, warps), [&](unsigned warp) {
      take_share(team, scratch[warp], Index{team.league_rank()} * warps + warp);
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      carries[team.league_rank()] =
          joined(warps, [&](unsigned warp) { return scratch[warp].carry; });
      *drawn = draw(ticket);
    });
    team.team_barrier();
    const auto teams = static_cast<unsigned>(team.league_size());
    if (*drawn != teams - 1) return;
    auto* const of_leaves = reinterpret_cast<Carry<A>*>(scratch);
    auto* const of_few = of_leaves + block;
    const unsigned leaves = join(team, carries, teams, (teams + block - 1) / block, of_leaves);
    const unsigned few = join(team, of_leaves, leaves, warps, of_few);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const Carry<A> whole = joined(few, [&](unsigned i) { return of_few[i]; });
      if (whole.ended >= 0) tiles.result[whole.ended] = whole.closed;
      *ticket = 0;
    });
  }

 private:
  /// Number of segments, in [least, most], whose steps end before `step`. All lanes probe at once.
  template <class Team>
  KOKKOS_FUNCTION Index ends_before(const Team& team, Index least, Index most, Index step) const {
    while (least < most) {
      const Index apart = (most - least + lanes - 1) / lanes;
      unsigned before = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, lanes),
          [&](unsigned lane, unsigned& some) {
            const Index s = least + (lane + 1) * apart - 1;
            if (s < most && tiles.end_of(s) + end_steps * (s + 1) <= step) ++some;
          },
          before);
      least += before * apart;
      most = least + apart - 1 < most ? least + apart - 1 : most;
    }
    return least;
  }

  /// Element at `step`, before which `ended` segments end. Those of a segment end are at this end.
  KOKKOS_FUNCTION Index element_at(Index step, Index ended) const {
    return smaller(step - end_steps * ended,
                   ended < tiles.all.count ? tiles.end_of(ended) : tiles.all.n);
  }

  template <class Team>
  KOKKOS_FUNCTION void take_share(const Team& team, Scratch& own, Index which) const {
    const Index count = tiles.all.count, path = tiles.all.n + end_steps * count;
    const Index begin = which * share < path ? which * share : path;
    const Index end = begin + share < path ? begin + share : path;
    const Index first = ends_before(team, 0, smaller(begin / end_steps, count), begin);
    const Index last = ends_before(team, first, smaller(first + share / end_steps + 1, count), end);
    for_lanes(team, [&](unsigned lane) {
      own.marks[lane] = 0;
      if (lane > 0) return;
      own.open = Tiles::none;
      own.carried = tiles.identity;
      own.carry.closed = tiles.identity;
      own.carry.ended = first < last ? first : -1;
    });
    const Index start = element_at(begin, first), stop = element_at(end, last);
    typename Tiles::Tile tile{start, first, last, tiles.past_line(start), 0};
    tile.at -= tile.low;
    for (;;) {
      const Index left = stop - tile.at;
      tile.high = left < Tiles::size ? static_cast<unsigned>(left) : Tiles::size;
      tile.first += tiles.reduce(team, own, tile, first);
      tile.at += Tiles::size;
      tile.low = 0;
      if (tile.at >= stop) break;
      const Index until = tile.first < last ? tiles.end_of(tile.first) : stop;
      const Index inside = (until - tile.at - 1) / Tiles::size;
      if (inside > 0) tiles.fold_inside(team, own, tile.at, inside);
      tile.at += inside * Tiles::size;
    }
    Kokkos::single(Kokkos::PerThread(team), [&] { own.carry.open = own.carried; });
  }

  /// Combines the `count` adjacent carries get(0), get(1), ... Stores all segments that end in them
  /// but the first.
  template <class Get>
  KOKKOS_FUNCTION Carry<A> joined(unsigned count, const Get& get) const {
    Carry<A> whole{-1, tiles.identity, tiles.identity};
    LADDER_REDUCE_STEP_BY_STEP
    for (unsigned i = 0; i < count; ++i) {
      const Carry<A> next = get(i);
      if (next.ended < 0) {
        whole.open = tiles.op(whole.open, next.open);
        continue;
      }
      const A value = tiles.op(whole.open, next.closed);
      if (whole.ended < 0) {
        whole.ended = next.ended;
        whole.closed = value;
      } else {
        tiles.result[next.ended] = value;
      }
      whole.open = next.open;
    }
    return whole;
  }
  /// The same for every `of_each` of them; returns the number of carries that are left.
  template <class Team>
  KOKKOS_FUNCTION unsigned join(const Team& team, const Carry<A>* from, unsigned count,
                                unsigned of_each, Carry<A>* to) const {
    for_leaves(team, block, [&](unsigned leaf) {
      const unsigned begin = leaf * of_each;
      if (begin >= count) return;
      to[leaf] = joined(of_each < count - begin ? of_each : count - begin,
                        [&](unsigned i) { return from[begin + i]; });
    });
    team.team_barrier();
    return (count + of_each - 1) / of_each;
  }
};

/// Leaves per team, limited by scratch for large accumulators.
template <class In, class A>
inline constexpr unsigned merge_leaves =
    leaves_for(sizeof(typename SegmentTile<In, Index, A, int, A>::Scratch) / lanes);

/// Calls `f(kernel, league)` with one launch over segments.
template <class In, class Offset, class A, class Op, class Identity, class Block, class F>
void with_merge_path(const In& x, const Segments<Offset>& segments, Block block, Index wave,
                     const Partials& room, A* result, const Op& op, const Identity& identity,
                     F&& f) {
  using Kernel = MergePath<In, Offset, A, Op, Identity, Block>;
  using Tiles = typename Kernel::Tiles;
  const Index path = segments.n + end_steps * segments.count, warps = block / lanes;
  const Index by_size = parts_of(path, warps * Tiles::size), most = room.count<Carry<A>>();
  const Index share = parts_of(path, warps * std::min({wave, by_size, most}));
  const Index teams = parts_of(path, warps * share);
  const Index of_share = parts_of(share, lanes) + 4 * (Tiles::each + lanes);
  const Index of_carries = warps + parts_of(teams, block) + 2 * lanes;
  f(Kernel{{x, segments, result, op, identity}, share, room.as<Carry<A>>(), room.ticket, block},
    League{teams, block, Kernel::scratch_bytes(block),
           static_cast<std::size_t>(of_share + of_carries)});
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
