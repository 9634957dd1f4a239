#pragma once

// Launch configuration of a reduction: the available choices and the default.

#include <cstddef>

#include "ladder/gpu/detail/gpu_model.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

/// Launch configuration: threads per block, loads in flight per thread, and blocks per SM or one of
/// the constants. A load is a 16-byte vector, or one element of an input without vectors.
struct Choice {
  static constexpr int alone = -1;    ///< one block
  static constexpr int one_pass = 0;  ///< as many blocks as one load round per thread needs
  static constexpr int cluster = -2;  ///< 8 blocks as one cluster if calls overlap, else one_pass
  unsigned block, vectors;
  int per_unit;
};

/// Compiled kernels: block, vectors, and single-block or multi-block.
inline constexpr struct {
  unsigned block, vectors;
  bool alone;
} instances[] = {{32, 1, true},   {32, 4, true},    {256, 1, true},  {512, 1, true},
                 {512, 2, true},  {512, 4, true},   {1024, 4, true}, {256, 1, false},
                 {256, 4, false}, {256, 8, false},  {512, 2, false}, {512, 4, false},
                 {512, 8, false}, {1024, 2, false}, {1024, 4, false}};

constexpr unsigned kernels() {  // per type and operation
  unsigned count = 0;
  for (const auto& one : instances) count += one.alone ? 2 : 1;  // the second is for whole vectors
  return count;
}
static_assert(kernels() <= 24, "each is compiled for every type and operation that is called");

/// Blocks per cluster: the portable maximum.
inline constexpr unsigned cluster_blocks = 8;

/// Device properties that select a launch configuration.
struct Gpu {
  unsigned units = 0;      ///< SMs
  std::size_t cache = 0;   ///< L2 cache, bytes
  unsigned bandwidth = 0;  ///< memory, GB/s, from its clock and bus width; 0 if unknown
  bool overlaps = false;   ///< supports programmatic dependent launch
};

/// Overlap of a call with the kernel before it on the stream (programmatic dependent launch: CUDA,
/// compute capability 9.0). Elsewhere every value acts as `none`. Result, workspace and stream
/// order are the same for all values: a call completes only after all earlier work on the stream.
enum class Overlap {
  none,            ///< starts when all earlier work is complete
  after_previous,  ///< launched early; reads nothing until all earlier work is complete
  /// Also loads the input, and an element count in device memory, before earlier work is complete.
  /// The preceding kernel must not write either. If that kernel is such a call itself, or triggers
  /// its dependents before it waits, the kernel before it must not write them either, and so on.
  input_ready
};

#pragma GCC visibility push(hidden)
/// Default launch configuration for an input of `bytes` bytes.
constexpr Choice usual_choice(std::size_t bytes, const Gpu& gpu = {}) {
  constexpr std::size_t ki = 1024, mi = ki * ki;
  if (bytes <= ki / 2) return {32, 1, Choice::alone};
  if (bytes <= 2 * ki) return {32, 4, Choice::alone};
  if (bytes <= 4 * ki) return {256, 1, Choice::alone};
  if (bytes <= 8 * ki) return {512, 1, Choice::alone};
  if (bytes <= 16 * ki) return {512, 2, Choice::alone};
  if (bytes <= 32 * ki) return {512, 4, Choice::alone};
  if (bytes <= 64 * ki) return {1024, 4, Choice::alone};
  if (bytes <= 512 * ki) return {256, 1, Choice::one_pass};
  if (bytes <= mi) return {512, 2, Choice::one_pass};
  if (bytes < 512 * mi) return {512, 4, 4};
  // Low bandwidth per SM leaves time for blocks that load once and end.
  const bool slow = gpu.bandwidth != 0 && gpu.bandwidth < 30 * gpu.units;
  if (bytes >= 2048 * mi && slow) return {1024, 4, Choice::one_pass};
  return {1024, 4, 64};
}
#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
