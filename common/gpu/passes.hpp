#pragma once

// Combination of blocks' results where kernels are functions: by launching again on the partials
// until one is left, or by atomic updates.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/device/device.hpp"
#include "common/gpu/atomics.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/model.hpp"
#include "common/model/layout.hpp"
#include "common/model/queue.hpp"

namespace ladder {

inline Shape shape_of(const Layout& layout, std::size_t n) {
  return {layout.blocks(n), layout.block, layout.shared};
}

/// Kernel of a pass: reduces `n` values from `x` on and writes one accumulator per block to
/// `partial`.
template <class T, class A, class... More>
using Kernel = void (*)(const T* x, std::int64_t n, A* partial, More...);

/// One launch of `kernel`.
template <class T, class A, class... More, class Queue>
void one_pass(Queue& queue, const Layout& layout, Kernel<T, A, More...> kernel, const T* x,
              std::size_t n, A* partial, const More&... more) {
  queue.launch(kernel, shape_of(layout, n), layout.pass<T, A>(n), x, n, partial, more...);
}

/// Initializes a result before the first atomic update. One per queue type: CUDA's and HIP's are
/// compiled by different units.
template <class Queue, class A>
__global__ void set(A* result, A value) {
  *result = value;
}

/// One launch of `kernel`, in which each block combines its `updates` results with the problem's by
/// atomic updates. Each call first initializes the result, as part of the cost.
template <class Case, class Queue, class T = typename Case::element,
          class A = typename Case::accumulator>
void atomic_pass(Queue& queue, const View<Case>& problem, const Layout& layout,
                 std::type_identity_t<Kernel<T, A>> kernel, unsigned updates = 1) {
  queue.launch(set<Queue, A>, Shape{1, 1}, Pass{0, sizeof(A), 0}, problem.result,
               Case::function::identity());
  queue.launch(kernel, shape_of(layout, problem.n),
               layout.template atomic_pass<T, A>(problem.n, updates), problem.input, problem.n,
               problem.result);
}

/// Runs passes until one value is left: `first` reduces the elements, `later` the partials, both
/// given `more`.
template <class Case, class... More, class Queue, class T = typename Case::element,
          class A = typename Case::accumulator>
void in_passes(Queue& queue, const View<Case>& problem, const Layout& layout,
               std::type_identity_t<Kernel<T, A, More...>> first,
               std::type_identity_t<Kernel<A, A, More...>> later, const More&... more) {
  until_one_is_left(
      queue, problem, layout,
      [&](const T* x, std::size_t n, A* partial) {
        one_pass<T, A, More...>(queue, layout, first, x, n, partial, more...);
      },
      [&](const A* x, std::size_t n, A* partial) {
        one_pass<A, A, More...>(queue, layout, later, x, n, partial, more...);
      });
}

}  // namespace ladder
