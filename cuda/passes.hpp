#pragma once

// How a rung covers n values by blocks, and the host loop that launches again on the partials until
// one is left.

#include <bit>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "common/accounting.hpp"
#include "common/backend.hpp"
#include "common/problem.hpp"
#include "cuda/index.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {

inline constexpr unsigned smallest_block = 32, largest_block = 1024;

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

  std::size_t blocks(std::size_t n) const {
    return blocks_for(n, std::size_t{block} * items, grid == 0 ? ~std::size_t{0} : grid);
  }
};

/// The kernel of a pass: it reduces `n` values from `x` on, leaving one accumulator of each block
/// in `partial`.
template <class T, class A>
using Kernel = void (*)(const T* x, Index n, A* partial);

/// One launch of `kernel`.
template <class T, class A>
void one_pass(Queue& queue, const Layout& layout, Kernel<T, A> kernel, const T* x, std::size_t n,
              A* partial) {
  const std::size_t blocks = layout.blocks(n);
  const std::size_t steps = ceil_div(n, blocks * layout.block * layout.items);
  const Pass pass{.read_bytes = n * sizeof(T),
                  .written_bytes = blocks * sizeof(A),
                  // One value after another in a thread, then the levels of the block's tree.
                  .depth = steps * layout.items + std::bit_width(layout.block) - 1};
  queue.launch(kernel, Shape{blocks, layout.block, layout.shared}, pass, x, n, partial);
}

/// Pass after pass until one value is left: `first` reduces the elements, `later` the partials. Two
/// buffers take turns: a block of a later pass may write its partial before another has read what
/// lies there, so never in place.
template <class Case, class T = typename Case::element, class A = typename Case::accumulator>
void in_passes(Queue& queue, const View<Case>& problem, const Layout& layout,
               std::type_identity_t<Kernel<T, A>> first, std::type_identity_t<Kernel<A, A>> later) {
  std::size_t left = layout.blocks(problem.n);
  if (left == 1) return one_pass(queue, layout, first, problem.input, problem.n, problem.result);

  A* from = queue.scratch<A>(left);
  A* to = queue.scratch<A>(layout.blocks(left));
  one_pass(queue, layout, first, problem.input, problem.n, from);
  for (; layout.blocks(left) > 1; left = layout.blocks(left)) {
    one_pass<A, A>(queue, layout, later, from, left, to);
    std::swap(from, to);
  }
  one_pass<A, A>(queue, layout, later, from, left, problem.result);
}

}  // namespace ladder::cuda
