#pragma once

// How a rung covers n values by blocks, and how the blocks' results become one: by launching again
// on the partials until one is left, or by atomic updates.

#include <bit>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "common/accounting.hpp"
#include "common/backend.hpp"
#include "common/problem.hpp"
#include "cuda/atomics.hpp"
#include "cuda/index.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {

inline constexpr unsigned smallest_block = 32, largest_block = 1024;
/// Of a coarsened rung, so that what a block takes fits 32 bits many times over.
inline constexpr unsigned most_items = 1U << 16;

/// Calls `f.template operator()<block>()`: for kernels that have their block size as a template
/// argument.
template <class F>
void with_block(unsigned block, F&& f) {
  switch (block) {
    case 32:
      return f.template operator()<32>();
    case 64:
      return f.template operator()<64>();
    case 128:
      return f.template operator()<128>();
    case 256:
      return f.template operator()<256>();
    case 512:
      return f.template operator()<512>();
    case 1024:
      return f.template operator()<1024>();
    default:
      throw NotPossible("no kernel for a block of " + std::to_string(block));
  }
}

/// How a pass is laid out over the values that it reduces.
struct Layout {
  unsigned block;
  unsigned items = 1;      ///< values that a thread takes in one step
  unsigned grid = 0;       ///< the most blocks; 0: as many as the values need
  std::size_t shared = 0;  ///< dynamic shared memory of a block, in bytes
  bool serial = false;     ///< one thread combines the block's values in turn, without a tree

  std::size_t blocks(std::size_t n) const {
    return blocks_for(n, std::size_t{block} * items, grid == 0 ? ~std::size_t{0} : grid);
  }
  Shape shape(std::size_t n) const { return {blocks(n), block, shared}; }

  /// Reading n values of type T and leaving `results` accumulators of type A of each block: one
  /// value after another in a thread, then as many levels of a tree as that takes.
  template <class T, class A>
  Pass pass(std::size_t n, unsigned results = 1) const {
    const std::size_t steps = ceil_div(n, blocks(n) * block * items);
    const std::size_t combined = block / results;
    return {.read_bytes = n * sizeof(T),
            .written_bytes = blocks(n) * results * sizeof(A),
            .depth = steps * items + (serial ? combined : std::bit_width(combined) - 1)};
  }
};

/// The kernel of a pass: it reduces `n` values from `x` on, leaving one accumulator of each block
/// in `partial`.
template <class T, class A, class... More>
using Kernel = void (*)(const T* x, Index n, A* partial, More...);

/// One launch of `kernel`.
template <class T, class A, class... More>
void one_pass(Queue& queue, const Layout& layout, Kernel<T, A, More...> kernel, const T* x,
              std::size_t n, A* partial, const More&... more) {
  queue.launch(kernel, layout.shape(n), layout.pass<T, A>(n), x, n, partial, more...);
}

/// One launch of `kernel`, in which each block hands its `updates` results over by atomic updates
/// of the problem's. The result has to be set for that first, each time: part of the cost.
template <class Case, class T = typename Case::element, class A = typename Case::accumulator>
void atomic_pass(Queue& queue, const View<Case>& problem, const Layout& layout,
                 std::type_identity_t<Kernel<T, A>> kernel, unsigned updates = 1) {
  Pass pass = layout.pass<T, A>(problem.n, updates);
  pass.written_bytes = sizeof(A);
  pass.depth += layout.blocks(problem.n) * updates;  // all updates of the one address are one chain
  queue.launch(set<A>, Shape{1, 1}, Pass{0, sizeof(A), 0}, problem.result,
               Case::function::identity());
  queue.launch(kernel, layout.shape(problem.n), pass, problem.input, problem.n, problem.result);
}

/// Pass after pass until one value is left: `first` reduces the elements, `later` the partials,
/// both given `more`. Two buffers take turns: a block of a later pass may write its partial before
/// another has read what lies there, so never in place.
template <class Case, class... More, class T = typename Case::element,
          class A = typename Case::accumulator>
void in_passes(Queue& queue, const View<Case>& problem, const Layout& layout,
               std::type_identity_t<Kernel<T, A, More...>> first,
               std::type_identity_t<Kernel<A, A, More...>> later, const More&... more) {
  std::size_t left = layout.blocks(problem.n);
  if (left == 1) {
    return one_pass<T, A, More...>(queue, layout, first, problem.input, problem.n, problem.result,
                                   more...);
  }

  A* from = queue.scratch<A>(left);
  A* to = queue.scratch<A>(layout.blocks(left));
  one_pass<T, A, More...>(queue, layout, first, problem.input, problem.n, from, more...);
  for (; layout.blocks(left) > 1; left = layout.blocks(left)) {
    one_pass<A, A, More...>(queue, layout, later, from, left, to, more...);
    std::swap(from, to);
  }
  one_pass<A, A, More...>(queue, layout, later, from, left, problem.result, more...);
}

}  // namespace ladder::cuda
