#pragma once

// What the rungs of many reductions at once share that have kernels of their own: the shape of
// their teams, and rows or columns as a kernel reads them.

#include <algorithm>
#include <cstddef>

#include "common/model/groups_pass.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos {

/// Leaves of a team on a GPU.
inline constexpr unsigned batch_block = 256;

/// Calls `f(block)`: with the block of GPUs, which the compiler knows, or with that of a host.
template <class F>
void with_batch_block(const Queue& queue, unsigned on_host, F&& f) {
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(Unknown{on_host});
  }
  if constexpr (any_on_gpu) f(Known<batch_block>{});
}

/// A league of so many teams, beside what a team has in scratch.
inline Shape league(std::size_t teams, unsigned block, std::size_t shared = 0) {
  return {teams, block, shared};
}

/// The groups of a matrix as a kernel reads them: rows of `length` elements, or columns.
template <class T, class A>
struct Matrix {
  const T* x;
  Index count, length, pitch;
  A* result;
};
template <class Case>
auto matrix_of(const View<Case>& problem) {
  const Groups& groups = problem.groups;
  return Matrix<typename Case::element, typename Case::accumulator>{
      problem.input, static_cast<Index>(groups.count), static_cast<Index>(groups.length),
      static_cast<Index>(groups.pitch), problem.result};
}

}  // namespace ladder::kokkos
