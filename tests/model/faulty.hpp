#pragma once

// What rungs that are wrong on purpose are made of.

#include <span>
#include <string_view>

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "tests/faulty_rungs.hpp"
#include "tests/model/model.hpp"

namespace ladder::LADDER_MODEL::faulty {

template <template <class> class Launch>
constexpr faults::Find<Queue> find = faults::find_classic<Queue, Launch>;

consteval faults::FaultyRung<Queue> wrong(std::string_view id, std::string_view idea,
                                          faults::Find<Queue> finder, const faults::How& how = {}) {
  return faults::wrong<Queue>(id, idea, finder, how);
}

/// A rung of passes, by one kernel over the elements and by one over the partials: `items` elements
/// per thread, and shared memory for an accumulator of each thread and for `more`.
template <class Case, auto first, auto later, unsigned items = 1, unsigned more = 0>
struct InPasses {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Layout layout{.block = tuning.block,
                        .items = items,
                        .grid = tuning.grid,
                        .shared = (tuning.block + more) * sizeof(typename Case::accumulator)};
    in_passes(queue, problem, layout, first, later);
  }
};

/// The element of a thread, as r04 takes them; behind the last one the identity.
template <class Op, class T>
__device__ typename Op::value own_element(const T* x, Index n) {
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  return i < n ? typename Op::value(x[i]) : Op::identity();
}

__device__ inline void lose_time() {
  // Some 50 microseconds; a level of the tree takes less than one.
  constexpr long long cycles = 100000;
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// What there is of CUDA alone.

/// Rungs that make a mistake of the published code: in which elements a block takes, in how the
/// blocks' results become one, in how a block's threads work together.
namespace errata {
std::span<const faults::FaultyRung<Queue>> elements();
std::span<const faults::FaultyRung<Queue>> passes();
std::span<const faults::FaultyRung<Queue>> threads();
}  // namespace errata

namespace meeting {
/// A right rung that has a mistake of warps planted by a tuning.
std::span<const Extra> rungs();
}  // namespace meeting

}  // namespace ladder::LADDER_MODEL::faulty
