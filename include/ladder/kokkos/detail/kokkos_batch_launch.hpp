#pragma once

// Selects kernel and league for a batch shape.

#include <limits>
#include <type_traits>

#include "ladder/kokkos/detail/kokkos_batch_columns.hpp"
#include "ladder/kokkos/detail/kokkos_batch_host.hpp"
#include "ladder/kokkos/detail/kokkos_batch_rows.hpp"
#include "ladder/kokkos/detail/kokkos_batch_segments.hpp"
#include "ladder/kokkos/detail/kokkos_batch_staged.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Block size of a GPU kernel, known at compile time.
struct KnownBlocks {
  template <unsigned leaves>
  Threads<leaves> operator()(Threads<leaves> block) const {
    return block;
  }
};

/// Teams that fill a GPU of `units` SMs.
inline Index wave_of(unsigned units) { return Index{units} * batch_resident; }

/// Calls `f(kernel, league)` with the launch for rows on a GPU. Rows up to 3 KiB are staged; lanes
/// take rows up to 16 KiB if there are enough for the device; otherwise teams do.
template <class In, class A, class Op, class Identity, class Blocks, class F>
void with_rows(const In& x, const RowsOf& rows, const Blocks& blocks, Index wave,
               const Partials& room, A* result, const Op& op, const Identity& identity, F&& f) {
  if constexpr (may_lack_boundaries<In>) {
    if (!has_boundaries(x))
      return with_rows(one_by_one(x), rows, blocks, wave, room, result, op, identity, f);
  }
  constexpr Index ki = 1024;
  const auto block = blocks(one_block);
  const Index bytes = rows.length * static_cast<Index>(Access<In>::bytes);
  const Index warps = wave * (batch_block / lanes);
  if (bytes > 16 * ki || (bytes > 4 * ki && rows.count < warps) ||
      (bytes > 2 * ki && rows.count < wave)) {
    return with_teams(x, rows, block, wave, room, result, op, identity, f);
  }
  if (bytes <= 3 * ki && can_be_staged<In, A>(rows))
    return with_staged(x, rows, block, wave, result, op, identity, f);
  with_lanes<lanes>(x, rows, block, result, op, identity, f);
}

/// The same for segments, by merge path.
template <class In, class Offset, class A, class Op, class Identity, class Blocks, class F>
void with_segments(const In& x, const Segments<Offset>& segments, const Blocks& blocks, Index wave,
                   const Partials& room, A* result, const Op& op, const Identity& identity, F&& f) {
  if constexpr (may_lack_boundaries<In>) {
    if (!has_boundaries(x))
      return with_segments(one_by_one(x), segments, blocks, wave, room, result, op, identity, f);
  }
  with_merge_path(x, segments, blocks(Threads<merge_leaves<In, A>>{}), wave, room, result, op,
                  identity, f);
}

/// Launches on an instance; false if the league is too large for Kokkos.
template <class Space, class Kernel>
bool launch_league(const Space& space, const Kernel& kernel, const League& league) {
  if (league.teams > std::numeric_limits<int>::max()) return false;
  const auto teams = static_cast<int>(league.teams);
  if constexpr (on_host<Space>) {
    Kokkos::parallel_for("ladder", Kokkos::TeamPolicy<Space>(space, teams, 1), kernel);
  } else {
    constexpr unsigned block = decltype(Kernel::block)::known, length = Kernel::vector_length;
    Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<block, Kernel::resident>> policy(
        space, teams, block / length, length);
    policy.set_scratch_size(0, Kokkos::PerTeam(league.shared));
    Kokkos::parallel_for("ladder", policy, kernel);
  }
  return true;
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
