#pragma once

// What rungs that are wrong on purpose are made of.

#include <span>
#include <string_view>

#include "tests/faults.hpp"
#include "tests/model/model.hpp"

namespace ladder::LADDER_MODEL::faulty {

template <template <class> class Launch>
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

consteval Extra wrong(std::string_view id, std::string_view idea,
                      Run<Queue> (*finder)(Type, Operation), unsigned axes = block_axis,
                      Tuning defaults = {.block = 256}) {
  return {Rung{id, "", "", idea, "wrong on purpose", axes}, Entry{id, finder, defaults}, false};
}

__device__ inline void lose_time() {
  // Some 50 microseconds; a level of the tree takes less than one.
  constexpr long long cycles = 100000;
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// What there is of CUDA alone.

namespace errata {
/// Rungs that make a mistake of the published code, and what is known of each.
std::span<const Extra> rungs();
std::span<const faults::Fault> faults();
}  // namespace errata

namespace meeting {
/// A right rung that has a mistake of warps planted by a tuning.
std::span<const Extra> rungs();
}  // namespace meeting

}  // namespace ladder::LADDER_MODEL::faulty
