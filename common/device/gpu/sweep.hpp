#pragma once

// The read-only sweep: reads an array and does as little with it as the compiler lets pass. Its
// best configuration is the ceiling, one of them evicts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/accounting.hpp"

namespace ladder::gpu {

struct Sweep {
  unsigned block;
  unsigned loads;            ///< 16-byte loads that a thread has under way at once
  unsigned blocks_per_unit;  ///< on each SM; those that do not fit at once wait

  std::string text() const {
    return "block " + std::to_string(block) + ", " + std::to_string(loads) +
           " x 16-byte loads per thread, " + std::to_string(blocks_per_unit) + " blocks per SM";
  }
};

/// Every combination that is tried for the ceiling.
constexpr auto sweeps = [] {
  constexpr std::array blocks{256U, 512U, 1024U};
  constexpr std::array loads_at_once{1U, 2U, 4U, 8U};
  constexpr std::array blocks_per_unit{1U, 2U, 4U, 8U, 16U, 32U, 64U};
  std::array<Sweep, blocks.size() * loads_at_once.size() * blocks_per_unit.size()> all{};
  std::size_t i = 0;
  for (const unsigned block : blocks) {
    for (const unsigned loads : loads_at_once) {
      for (const unsigned per_unit : blocks_per_unit) all[i++] = {block, loads, per_unit};
    }
  }
  return all;
}();

constexpr Sweep eviction_sweep{.block = 512, .loads = 4, .blocks_per_unit = 4};

/// `n` counts vectors. `sink` is null: the sum is never stored, but the compiler cannot know. The
/// loops are not unrolled any further, or `loads` would not be the loads under way.
template <class Runtime, unsigned loads>
__global__ void __launch_bounds__(1024, 1) read(const uint4* x, std::int64_t n, unsigned* sink) {
  const auto sum_of = [](const uint4& v) { return v.x + v.y + v.z + v.w; };
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (; i + (loads - 1) * stride < n; i += loads * stride) {
    uint4 v[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) v[k] = x[i + k * stride];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum += sum_of(v[k]);
  }
#pragma unroll 1
  for (; i < n; i += stride) sum += sum_of(x[i]);
  if (sink != nullptr) *sink = sum;
}

/// Enqueues the reading of `bytes` bytes (a multiple of 16) at `input` (aligned to 16) of a device
/// with `units` SMs, through the caches as any load. Throws `Error`.
template <class Runtime>
void enqueue_sweep(typename Runtime::Stream stream, unsigned units, const Sweep& sweep,
                   const void* input, std::size_t bytes) {
  const auto reader = [&] {
    switch (sweep.loads) {
      case 1:
        return &read<Runtime, 1>;
      case 2:
        return &read<Runtime, 2>;
      case 4:
        return &read<Runtime, 4>;
      default:
        return &read<Runtime, 8>;
    }
  };
  const std::size_t most = std::size_t{sweep.blocks_per_unit} * units;
  const auto* x = static_cast<const uint4*>(input);
  auto n = static_cast<std::int64_t>(bytes / sizeof(uint4));
  unsigned* sink = nullptr;
  void* parameters[] = {&x, &n, &sink};
  const auto grid =
      static_cast<unsigned>(blocks_for(static_cast<std::size_t>(n), sweep.block, most));
  Runtime::check(Runtime::launch(reinterpret_cast<const void*>(reader()), grid, sweep.block,
                                 parameters, 0, stream));
}

}  // namespace ladder::gpu
