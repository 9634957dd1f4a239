#pragma once

// Maps a launch configuration to a kernel and a league.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/detail/kokkos_ranks.hpp"
#include "ladder/kokkos/detail/kokkos_shares.hpp"
#include "ladder/kokkos/detail/kokkos_tree.hpp"
#include "ladder/kokkos/detail/kokkos_words.hpp"
#include "ladder/kokkos/kokkos_choice.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Teams of a choice for `n` elements of `In`: at least 1, and limited by the workspace's words.
template <class In, class A>
unsigned teams_of(const Workspace& workspace, const Choice& choice, std::size_t n) {
  const std::size_t tile = std::size_t{choice.block} * choice.vectors * Access<In>::width;
  const std::size_t needed = (n + tile - 1) / tile;
  std::size_t most = workspace.count / pieces_of<A>;
  if (choice.per_unit == Choice::alone) most = 1;
  if (choice.per_unit > 0) {
    const std::size_t asked = static_cast<std::size_t>(choice.per_unit) * workspace.units;
    most = asked < most ? asked : most;
  }
  const std::size_t teams = needed < most ? needed : most;
  return teams == 0 ? 1 : static_cast<unsigned>(teams);
}

/// Default choice for `n` elements and accumulator A. Several arrays, or an accumulator of several
/// words, leave registers for two vectors instead of four.
template <class In, class A>
constexpr Choice choice_for(std::size_t n) {
  const Choice choice = usual_choice(n * Access<In>::bytes);
  const bool many = Access<In>::arrays > 1 || sizeof(A) > 8;
  return many && choice.per_unit > 0 ? Choice{512, 2, 4} : choice;
}

/// True if one team loads all of `x` at once, in whole vectors.
template <class In>
bool is_whole(const In& x, std::size_t n, const Choice& choice) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return false;
  } else {
    return choice.per_unit == Choice::alone && n > 0 && n % width == 0 &&
           n <= std::size_t{choice.block} * choice.vectors * width && begins_at_a_boundary(x);
  }
}

/// Calls `f.template operator()<block, vectors>()` with those of the choice; false if no kernel
/// matches.
template <std::size_t i = 0, class F>
bool with_instance(const Choice& choice, F&& f) {
  if constexpr (i < sizeof instances / sizeof *instances) {
    constexpr auto known = instances[i];
    if (known.block != choice.block || known.vectors != choice.vectors)
      return with_instance<i + 1>(choice, f);
    f.template operator()<known.block, known.vectors>();
    return true;
  } else {
    return false;
  }
}

/// Calls `f.template operator()<Kernel>()` with the GPU kernel for `n` elements of `x`; false if no
/// kernel matches the choice.
template <class Count, class A, class Op, class Identity, class In, class F>
bool with_kernel(const Choice& choice, const In& x, std::size_t n, F&& f) {
  return with_instance(choice, [&]<unsigned block, unsigned vectors>() {
    if constexpr (Access<In>::width > 1 && std::is_same_v<Count, Given>) {
      if (is_whole(x, n, choice))
        return f.template operator()<ByRanks<In, Count, A, Op, Identity, block, vectors, true>>();
    }
    f.template operator()<ByRanks<In, Count, A, Op, Identity, block, vectors>>();
  });
}

template <class Space, class In, class Count, class A, class Op>
bool launch(const Space& space, const Workspace& workspace, const In& x, Count count,
            std::size_t most, A* result, const Op& op, const A& identity, const Choice& choice) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  static_assert(alignof(A) <= 16, "an accumulator lies in the workspace or in team scratch");
  if (workspace.words == nullptr || result == nullptr || is_null(count) ||
      (most > 0 && reduce_detail::is_null(x)) ||
      most > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    return false;
  }
  if constexpr (!on_host<Space> && may_lack_boundaries<In>) {
    if (!has_boundaries(x))
      return reduce_detail::launch(space, workspace, one_by_one(x), count, most, result, op,
                                   identity, choice);
  }
  if constexpr (on_host<Space>) {
    const std::size_t room = (workspace.count - 1) * sizeof(std::uint64_t) / sizeof(A);
    const std::size_t bytes = most * Access<In>::bytes;
    const auto teams = static_cast<int>(teams_on_host(bytes, workspace.units, room));
    const InShares<In, Count, A, Op, A> kernel{x,
                                               count,
                                               reinterpret_cast<A*>(workspace.words + 2),
                                               reinterpret_cast<unsigned*>(workspace.words),
                                               result,
                                               op,
                                               identity};
    if (teams == 0) return false;
    if (teams <= static_cast<int>(workspace.units)) {
      Kokkos::parallel_for("ladder", Kokkos::TeamPolicy<Space>(space, teams, 1), kernel);
    } else {
      Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>> policy(space, teams, 1);
      policy.set_chunk_size(1);
      Kokkos::parallel_for("ladder", policy, kernel);
    }
    return true;
  } else {
    return with_kernel<Count, A, Op, A>(choice, x, most, [&]<class Kernel>() {
      constexpr unsigned block = decltype(Kernel::block)::known;
      const auto teams = static_cast<int>(teams_of<In, A>(workspace, choice, most));
      Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<block, Kernel::resident>> policy(
          space, teams, block / Kernel::vector_length, Kernel::vector_length);
      policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes()));
      Kokkos::parallel_for("ladder", policy, Kernel{x, count, workspace, {}, result, op, identity});
    });
  }
}

template <class Space, class View>
inline constexpr bool usable =
    !std::is_same_v<typename View::array_layout, Kokkos::LayoutStride> &&
    Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
