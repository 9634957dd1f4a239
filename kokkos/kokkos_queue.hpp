#pragma once

// The execution space instance that rungs put their work on, with the memory that comes with it.
//
// A rung launches only through `launch` and takes scratch memory only through `scratch`. So the
// queue can also *trace* a rung: what would be launched then becomes the rung's footprint, and
// there is no second description of a rung that could disagree with what it does. A rung's kernel
// is a functor over any space's team; which space it runs on is known to the queue alone.

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

/// What a kernel may say of itself:
///   vector_length  lanes of each thread of its team, which together walk a tile; 1 if not said
///   in_turn        leaves that one accumulator takes in turn where a thread has no lanes; 1 if not
///                  said
///   block          a member whose type may say in `known` what the compiler is to know of it: no
///                  more threads will come, and the kernel is for GPUs alone; or 0: for hosts alone
///   resident       teams of such a block that are to be resident at once; 0 if not said
///   in_turns       whether a host's threads take teams as they come free, not an even share each
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

  // What rungs use.

  /// Enqueues `kernel`, a functor over a team. `pass` says what the launch does to memory. A team
  /// has one thread per leaf (or per vector of leaves) where there are so many, as on a GPU, else
  /// `team_limit`. When tracing, throws `NotPossible` where it never could be launched.
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

  /// Enqueues a library's own reduction by `call(space)`. It chooses its layout itself: `pass` says
  /// what it has to do to memory, and the tracing finds the rest out where it can.
  template <class Call>
  void library(const Pass& pass, const Call& call) {
    if (tracing()) {
      record({}, pass);
      if (!looking_) return;
    }
    std::visit(call, opened_.space);
  }

  /// Threads that the space runs at once; what a host's library divides its work by.
  unsigned concurrency() const;
  bool on_host() const { return opened_.pinning != nullptr; }

  // What the backend uses.

  /// The most threads that a team is given. Every number is right, and tests try them (r30 alone
  /// takes a GPU thread's rank for its leaf); what is measured is one thread per leaf on a GPU, and
  /// what Kokkos itself recommends on a host, one: barriers among many cost more than a tile does.
  void limit_team(unsigned threads) { team_limit_ = threads; }
  /// The largest limit that a host's space takes.
  unsigned largest_team() const;

  void arm();
  void disarm();
  void fetch(std::size_t bytes) { device().download(host_result<void>(), result(), bytes); }
  /// The same of the results of groups.
  void fetch_group_results(std::size_t bytes) {
    device().download(host_group_results(), group_results(), bytes);
  }
  /// A library makes memory of its own when it is first called, which cannot be looked at.
  template <class Run>
  void make_ready(Run&& run) {
    run();
    device().synchronize();
  }

  /// What `rung()` would put onto this queue. Where `enqueues` is false it cannot be looked at
  /// without being run: then no kernel is named.
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
  bool looking_ = false;  ///< tracing, and the kernels are launched for the device to look at them
};

}  // namespace ladder::kokkos
