#pragma once

// Shared parts of the batch rungs that have their own kernels: team shape, and matrix access by row
// or column.

#include <algorithm>
#include <cstddef>

#include "common/model/groups_pass.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

namespace ladder::kokkos {

/// Leaves per team on a GPU.
inline constexpr unsigned batch_block = 256;

/// Calls `f(block)` with the GPU block, known at compile time, or with the host's.
template <class F>
void with_batch_block(const Queue& queue, unsigned on_host, F&& f) {
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(Unknown{on_host});
  }
  if constexpr (any_on_gpu) f(Known<batch_block>{});
}

/// A league of `teams` teams with `shared` bytes of scratch each.
inline Shape league(std::size_t teams, unsigned block, std::size_t shared = 0) {
  return {teams, block, shared};
}

/// The groups of a matrix: rows of `length` elements, or columns.
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
