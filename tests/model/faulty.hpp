#pragma once

// Building blocks of rungs that are wrong on purpose.

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

/// A rung of passes: one kernel over the elements, one over the partials. Each thread has `items`
/// elements; a block has shared memory for one accumulator per thread and `more`.
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

/// Returns the element of a thread, indexed as in r04; past the last one, the identity.
template <class Op, class T>
__device__ typename Op::value own_element(const T* x, Index n) {
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  return i < n ? typename Op::value(x[i]) : Op::identity();
}

__device__ inline void lose_time() {
  // About 50 µs; a level of the tree takes less than 1 µs.
  constexpr long long cycles = 100000;
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// CUDA only.

/// Rungs with an error of the published code: in the choice of a block's elements, in combining the
/// blocks' results, or in the cooperation of a block's threads.
namespace errata {
std::span<const faults::FaultyRung<Queue>> elements();
std::span<const faults::FaultyRung<Queue>> passes();
std::span<const faults::FaultyRung<Queue>> threads();
}  // namespace errata

namespace meeting {
/// A right rung in which a tuning plants an error of warps.
std::span<const Extra> rungs();
}  // namespace meeting

}  // namespace ladder::LADDER_MODEL::faulty
