#pragma once

// Execution space instance and memory for rungs.
//
// A rung launches only through `launch` and takes scratch memory only through `scratch`. So the
// queue can also trace a rung, and the traced launches are its footprint. No second description of
// a rung exists that could disagree with the code. A rung's kernel is a functor over the team of
// any space; only the queue knows the space.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include <Kokkos_Core.hpp>

#include "common/model/queue.hpp"
#include "kokkos/spaces/open.hpp"

namespace ladder::kokkos {

namespace detail {

/// Optional members of a kernel:
///   vector_length  lanes per team thread, which share a tile (default 1)
///   in_turn        leaves that one accumulator processes sequentially if a thread has no lanes
///                  (default 1)
///   block          its type's `known`: the maximum number of threads at compile time, for GPUs
///                  only; 0: for hosts only
///   resident       resident teams of such a block (default 0)
///   in_turns       true: dynamic scheduling of teams on a host; false: equal shares
template <class Kernel>
constexpr unsigned vector_length() {
  if constexpr (requires { Kernel::vector_length; }) return Kernel::vector_length;
  return 1;
}
template <class Kernel>
constexpr unsigned in_turn() {
  if constexpr (requires { Kernel::in_turn; }) return Kernel::in_turn;
  return 1;
}
template <class Kernel, class Space>
constexpr bool runs_on() {
  if constexpr (requires { decltype(Kernel::block)::known; }) {
    return (decltype(Kernel::block)::known == 0) == on_host<Space>;
  }
  return true;
}
template <class Kernel>
constexpr unsigned resident() {
  if constexpr (requires { Kernel::resident; }) return Kernel::resident;
  return 0;
}
template <class Kernel>
constexpr auto launch_bounds() {
  if constexpr (requires { decltype(Kernel::block)::known; }) {
    return Kokkos::LaunchBounds<decltype(Kernel::block)::known, resident<Kernel>()>{};
  } else {
    return Kokkos::LaunchBounds<>{};
  }
}

template <class Kernel>
constexpr bool in_turns() {
  if constexpr (requires { Kernel::in_turns; }) return Kernel::in_turns;
  return false;
}

}  // namespace detail

class Queue : public ladder::Queue {
 public:
  explicit Queue(Opened opened);
  ~Queue();

  // Interface for rungs.

  /// Enqueues `kernel`, a functor over a team. `pass`: the launch's memory traffic. A GPU team has
  /// one thread per leaf, or per vector of leaves; a host team at most `team_limit`. When tracing,
  /// throws `NotPossible` if the launch can never succeed.
  template <class Kernel>
  void launch(const Kernel& kernel, const Shape& shape, Pass pass) {
    constexpr unsigned vector_length = detail::vector_length<Kernel>();
    if (tracing()) {
      if (on_host()) pass.depth *= detail::in_turn<Kernel>();
      record(shape, pass);
      if (!looking_) return;
    }
    const unsigned threads = std::clamp(team_limit_, 1U, shape.block / vector_length);
    std::visit(
        [&]<class Space>(const Space& space) {
          if constexpr (detail::runs_on<Kernel, Space>()) {
            using Bounds = decltype(detail::launch_bounds<Kernel>());
            using Even = Kokkos::TeamPolicy<Space, Bounds>;
            using InTurns = Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Bounds>;
            using Policy = std::conditional_t<detail::in_turns<Kernel>(), InTurns, Even>;
            Policy policy(space, static_cast<int>(shape.grid), static_cast<int>(threads),
                          static_cast<int>(vector_length));
            policy.set_scratch_size(0, Kokkos::PerTeam(shape.shared));
            if (detail::in_turns<Kernel>()) policy.set_chunk_size(1);
            Kokkos::parallel_for("ladder", policy, kernel);
          } else {
            throw std::logic_error("a kernel for another kind of space");
          }
        },
        opened_.space);
  }

  /// Enqueues a library reduction with `call(space)`. The library chooses its launch; `pass` is its
  /// minimum memory traffic, and tracing determines the rest where possible.
  template <class Call>
  void library(const Pass& pass, const Call& call) {
    if (tracing()) {
      record({}, pass);
      if (!looking_) return;
    }
    std::visit(call, opened_.space);
  }

  /// Threads that the space runs concurrently.
  unsigned concurrency() const;
  bool on_host() const { return opened_.pinning != nullptr; }

  // Interface for the backend.

  /// Maximum threads per team. Every value gives correct results, and tests vary it (except in r30,
  /// which uses a GPU thread's rank as its leaf). Measurements use one thread per leaf on a GPU. On
  /// a host they use one thread, as Kokkos recommends: barriers cost more than a tile.
  void limit_team(unsigned threads) { team_limit_ = threads; }
  /// Largest limit that a host space accepts.
  unsigned largest_team() const;

  void arm();
  void disarm();
  void fetch(std::size_t bytes) { device().download(host_result<void>(), result(), bytes); }
  /// The same for the results of groups.
  void fetch_group_results(std::size_t bytes) {
    device().download(host_group_results(), group_results(), bytes);
  }
  /// Runs a library once, so that it allocates its untraceable memory.
  template <class Run>
  void make_ready(Run&& run) {
    run();
    device().synchronize();
  }

  /// Footprint of `rung()` on this queue. If `enqueues` is false, tracing would require execution,
  /// so no kernel is named.
  template <class Rung>
  Footprint trace(const Rung& rung, bool enqueues = true) {
    Footprint footprint = ladder::Queue::trace(rung);
    if (enqueues && !on_host()) name_kernels(footprint, rung);
    return footprint;
  }

 private:
  void record(const Shape& shape, const Pass& pass);
  void name_kernels(Footprint& footprint, const std::function<void()>& rung);

  Opened opened_;
  unsigned team_limit_ = on_host() ? 1 : std::numeric_limits<unsigned>::max();
  bool looking_ = false;  ///< tracing; launches kernels for inspection
};

}  // namespace ladder::kokkos
