#pragma once

// What the rungs of many reductions at once share: the shape of their teams, and a vector of rows
// or columns for a kernel.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/gpu/vector.hpp"
#include "common/model/groups_pass.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/team.hpp"

/// For a loop of few steps, which would be unrolled for nothing but registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_STEP_BY_STEP _Pragma("unroll 1")
#else
#define LADDER_STEP_BY_STEP
#endif

namespace ladder::kokkos {

/// Leaves of a team on a GPU.
inline constexpr unsigned batch_block = 256;
/// Such teams that a unit of it is to have room for at once.
inline constexpr unsigned batch_resident = 4;

/// Calls `f(block)`: with the block of GPUs, which the compiler knows, or with that of a host.
template <class F>
void with_batch_block(const Queue& queue, unsigned on_host, F&& f) {
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(Unknown{on_host});
  }
  if constexpr (any_on_gpu) f(Known<batch_block>{});
}

/// Teams that together keep the device busy: a few on each unit of a GPU, each with several loads
/// of 16 bytes under way in a thread; one for each thread of a host.
inline std::size_t one_wave(const Queue& queue) {
  return queue.on_host() ? queue.concurrency() : std::size_t{queue.facts().units} * batch_resident;
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

/// Whether every row of such a pitch, from x on, begins at a boundary of 16 bytes.
template <class T>
bool rows_are_aligned(const T* x, std::size_t pitch) {
  return reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) == 0 && pitch % width<T> == 0;
}

/// Several values that are reduced side by side; Kokkos moves them between lanes as whole words.
template <class A, unsigned count>
struct alignas(std::min<std::size_t>(sizeof(A) * count, 16)) Several {
  A at[count];
};
/// An operation on each of them.
template <class Op, unsigned count>
struct Beside {
  using value = Several<typename Op::value, count>;
  static KOKKOS_FUNCTION value identity() {
    value all;
    LADDER_UNROLLED_WHOLE
    for (unsigned k = 0; k < count; ++k) all.at[k] = Op::identity();
    return all;
  }
  KOKKOS_FUNCTION value operator()(value a, const value& b) const {
    LADDER_UNROLLED_WHOLE
    for (unsigned k = 0; k < count; ++k) a.at[k] = Op{}(a.at[k], b.at[k]);
    return a;
  }
};

}  // namespace ladder::kokkos
