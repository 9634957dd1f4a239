#pragma once

// How the teams' results become one: by launching again on the partials until one is left, or by
// atomic updates. A kernel is a functor that begins with the members (x, n, partial, block).

#include <cstddef>
#include <type_traits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/index.hpp"
#include "common/model/backend.hpp"
#include "common/model/layout.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {

/// A block that the compiler knows, for kernels on a GPU.
template <unsigned block>
struct Known {
  static constexpr unsigned known = block;
  KOKKOS_FUNCTION constexpr operator unsigned() const { return block; }
};

/// One that it does not: a host's thread walks the tile in loops anyway, and a kernel for each size
/// would be compiled for nothing.
struct Unknown {
  static constexpr unsigned known = 0;
  unsigned value;
  KOKKOS_FUNCTION operator unsigned() const { return value; }
};

/// A kernel for hosts alone, whose teams are one thread each: nothing is compiled for a GPU.
/// `turns`: threads take teams as they come free.
template <class Kernel, bool turns = false>
struct OnHosts : Kernel {
  static constexpr bool in_turns = turns;
  Unknown block{1};
};

/// Calls `f(block)`, for kernels that have the type of their block as a template argument: a
/// `Known` one for a queue on a GPU, else an `Unknown` one.
template <class F>
void with_block(const Queue& queue, unsigned block, F&& f) {
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(Unknown{block});
  }
  if constexpr (any_on_gpu) ladder::with_block(block, [&]<unsigned known>() { f(Known<known>{}); });
}

/// What a result is before the first atomic update.
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

/// One launch of a `Kernel` over n values from `x` on, leaving one accumulator of each block in
/// `partial`; `more` are its further members.
template <class Kernel, class T, class A, class... More>
void one_pass(Queue& queue, const Layout& layout, const T* x, std::size_t n, A* partial,
              const More&... more) {
  queue.launch(Kernel{x, static_cast<Index>(n), partial, more...}, shape_of(layout, n),
               layout.pass<T, A>(n));
}

/// One launch of a `Kernel`, in which each block hands its `updates` results over by atomic updates
/// of the problem's. The result has to be set for that first, each time: part of the cost.
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

/// Pass after pass until one value is left: `First` reduces the elements, `Later` the partials.
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
