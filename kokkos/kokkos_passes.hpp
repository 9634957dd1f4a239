#pragma once

// Combination of the teams' results: repeated launches on the partials, or atomic updates. A kernel
// is a functor whose first members are (x, n, partial, block).

#include <cstddef>
#include <type_traits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/index.hpp"
#include "common/model/backend.hpp"
#include "common/model/layout.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {

/// Block size known at compile time, for GPU kernels.
template <unsigned block>
struct Known {
  static constexpr unsigned known = block;
  KOKKOS_FUNCTION constexpr operator unsigned() const { return block; }
};

/// Block size known at run time: a host thread loops over the tile anyway, and fewer kernels are
/// compiled.
struct Unknown {
  static constexpr unsigned known = 0;
  unsigned value;
  KOKKOS_FUNCTION operator unsigned() const { return value; }
};

/// A kernel for hosts only, with single-threaded teams; it is not compiled for GPUs. `turns`:
/// dynamic scheduling of teams.
template <class Kernel, bool turns = false>
struct OnHosts : Kernel {
  static constexpr bool in_turns = turns;
  Unknown block{1};
};

/// Calls `f(block)` with `Known` for a queue on a GPU, else with `Unknown`, for kernels templated
/// on the block type.
template <class F>
void with_block(const Queue& queue, unsigned block, F&& f) {
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(Unknown{block});
  }
  if constexpr (any_on_gpu) ladder::with_block(block, [&]<unsigned known>() { f(Known<known>{}); });
}

/// Sets the result to the identity before atomic updates.
template <class A>
struct Set {
  A* result;
  A value;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if (team.team_rank() == 0) *result = value;
  }
};

inline Shape shape_of(const Layout& layout, std::size_t n) {
  return {layout.blocks(n), layout.block, layout.shared};
}

/// Launches a `Kernel` over n values from `x` on, which stores one accumulator per block in
/// `partial`; `more` are its further members.
template <class Kernel, class T, class A, class... More>
void one_pass(Queue& queue, const Layout& layout, const T* x, std::size_t n, A* partial,
              const More&... more) {
  queue.launch(Kernel{x, static_cast<Index>(n), partial, more...}, shape_of(layout, n),
               layout.pass<T, A>(n));
}

/// Launches a `Kernel` in which each block makes `updates` atomic updates of the result. Resets the
/// result first, which is part of the cost.
template <class Kernel, class Case, class... More>
void atomic_pass(Queue& queue, const View<Case>& problem, const Layout& layout, unsigned updates,
                 const More&... more) {
  using A = typename Case::accumulator;
  queue.launch(Set<A>{problem.result, Case::function::identity()}, Shape{},
               Pass{.written_bytes = sizeof(A)});
  queue.launch(Kernel{problem.input, static_cast<Index>(problem.n), problem.result, more...},
               shape_of(layout, problem.n),
               layout.atomic_pass<typename Case::element, A>(problem.n, updates));
}

/// Repeats passes until one value is left: `First` reduces the elements, `Later` the partials.
template <class First, class Later, class Case, class... More>
void in_passes(Queue& queue, const View<Case>& problem, const Layout& layout, const More&... more) {
  const auto pass = [&]<class Kernel>(std::type_identity<Kernel>) {
    return [&](const auto* x, std::size_t n, auto* partial) {
      one_pass<Kernel>(queue, layout, x, n, partial, more...);
    };
  };
  until_one_is_left(queue, problem, layout, pass(std::type_identity<First>{}),
                    pass(std::type_identity<Later>{}));
}

}  // namespace ladder::kokkos
