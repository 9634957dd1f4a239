#pragma once

// What a rung does to the memory, pass by pass, and how long its chains of additions are.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/problem.hpp"

namespace ladder {

/// One kernel's part: the bytes that it has to read and write, and the longest chain of operations
/// that any input value goes through in it (the depth of its summation tree).
struct Pass {
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  std::size_t depth = 0;

  /// Another part of the same kernel, which begins where this one has ended.
  Pass& operator+=(const Pass& next) {
    read_bytes += next.read_bytes;
    written_bytes += next.written_bytes;
    depth += next.depth;
    return *this;
  }
};

/// What a compiled kernel occupies, and how many of its blocks an SM holds.
struct KernelFacts {
  int registers = 0;             ///< per thread
  std::size_t shared_bytes = 0;  ///< per block, static and dynamic
  int blocks_per_unit = 0;       ///< resident on one SM
  unsigned resident = 0;  ///< on the device, where it is not as many on each SM: in clusters; or 0
  std::string limiter;    ///< what keeps that number from being higher
};

struct Launch {
  Pass pass;
  unsigned grid = 1, block = 1;
  KernelFacts kernel;
};

/// Everything that one run of a rung does, known before it is timed.
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
  /// The launch that moves the most, whose kernel facts speak for the rung; null where nothing is
  /// launched.
  const Launch* main() const {
    const auto bytes = [](const Launch& l) { return l.pass.read_bytes + l.pass.written_bytes; };
    const auto most =
        std::max_element(launches.begin(), launches.end(),
                         [&](const auto& a, const auto& b) { return bytes(a) < bytes(b); });
    return most == launches.end() ? nullptr : &*most;
  }
};

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The blocks of a grid that covers n elements: no more than `grid`, so that later passes reach
/// one.
constexpr std::size_t blocks_for(std::size_t n, std::size_t tile,
                                 std::size_t grid = ~std::size_t{0}) {
  return std::max<std::size_t>(1, std::min(grid, ceil_div(n, tile)));
}

/// Effective bytes: each element read once. The figure of merit counts these alone.
constexpr std::size_t effective_bytes(std::size_t n, Type type) { return n * facts(type).bytes; }

}  // namespace ladder
