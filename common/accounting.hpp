#pragma once

// Memory traffic of a rung, pass by pass, and the length of its chains of additions.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/problem.hpp"

namespace ladder {

/// Memory traffic of one kernel, and the longest chain of operations that any input value goes
/// through in it (the depth of its summation tree).
struct Pass {
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  std::size_t depth = 0;

  /// Appends another part of the same kernel, which starts after this one.
  Pass& operator+=(const Pass& next) {
    read_bytes += next.read_bytes;
    written_bytes += next.written_bytes;
    depth += next.depth;
    return *this;
  }
};

/// Resources of a compiled kernel, and its resident blocks per SM.
struct KernelFacts {
  int registers = 0;             ///< per thread
  std::size_t shared_bytes = 0;  ///< per block, static and dynamic
  int blocks_per_unit = 0;       ///< resident on one SM
  unsigned resident = 0;         ///< on the device, if it is launched in clusters; else 0
  std::string limiter;           ///< resource that limits that number
};

struct Launch {
  Pass pass;
  unsigned grid = 1, block = 1;
  KernelFacts kernel;
};

/// All work of one run of a rung, known before it is timed.
struct Footprint {
  std::vector<Launch> launches;
  std::size_t scratch_bytes = 0;

  std::size_t moved_bytes() const {
    std::size_t sum = 0;
    for (const auto& launch : launches) sum += launch.pass.read_bytes + launch.pass.written_bytes;
    return sum;
  }
  std::size_t depth() const {
    std::size_t sum = 0;
    for (const auto& launch : launches) sum += launch.pass.depth;
    return sum;
  }
  /// The launch that moves the most bytes, whose kernel facts represent the rung; null if nothing
  /// is launched.
  const Launch* main() const {
    const auto bytes = [](const Launch& l) { return l.pass.read_bytes + l.pass.written_bytes; };
    const auto most =
        std::max_element(launches.begin(), launches.end(),
                         [&](const auto& a, const auto& b) { return bytes(a) < bytes(b); });
    return most == launches.end() ? nullptr : &*most;
  }
};

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Blocks of a grid that covers n elements, at most `grid`, so that later passes reach one.
constexpr std::size_t blocks_for(std::size_t n, std::size_t tile,
                                 std::size_t grid = ~std::size_t{0}) {
  return std::max<std::size_t>(1, std::min(grid, ceil_div(n, tile)));
}

/// Effective bytes: each element read once. The figure of merit counts these alone.
constexpr std::size_t effective_bytes(std::size_t n, Type type) { return n * facts(type).bytes; }

}  // namespace ladder
