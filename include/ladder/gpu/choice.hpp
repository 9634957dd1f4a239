#pragma once

// How a reduction is launched: what can be chosen, and what is.

#include <cstddef>

#include "ladder/gpu/detail/gpu_model.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

/// Threads per block, vectors of 16 bytes (or elements, where the input is no pointer) that a
/// thread has under way at once, and how many blocks: so many per SM, or one of these.
struct Choice {
  static constexpr int alone = -1;    ///< one block in all
  static constexpr int one_pass = 0;  ///< as many as it takes for each thread to load once
  static constexpr int cluster = -2;  ///< one of eight blocks, in calls that overlap; else one_pass
  unsigned block, vectors;
  int per_unit;
};

/// What there are kernels for, by block and vectors, for one block alone and for many.
inline constexpr struct {
  unsigned block, vectors;
  bool alone;
} instances[] = {{32, 1, true},   {32, 4, true},    {256, 1, true},  {512, 1, true},
                 {512, 2, true},  {512, 4, true},   {1024, 4, true}, {256, 1, false},
                 {256, 4, false}, {256, 8, false},  {512, 2, false}, {512, 4, false},
                 {512, 8, false}, {1024, 2, false}, {1024, 4, false}};

constexpr unsigned kernels() {  // of a type and operation
  unsigned count = 0;
  for (const auto& one : instances) count += one.alone ? 2 : 1;  // one for whole vectors
  return count;
}
static_assert(kernels() <= 24, "each is compiled for every type and operation that is called");

/// Blocks of a cluster: as many as every device with clusters takes.
inline constexpr unsigned cluster_blocks = 8;

/// What a launch looks at of a device.
struct Gpu {
  unsigned units = 0;      ///< SMs
  std::size_t cache = 0;   ///< bytes of its L2 cache
  unsigned bandwidth = 0;  ///< GB/s of its memory, by its clock and width; 0 where unknown
  bool overlaps = false;   ///< a kernel may start while the one before it ends
};

/// Whether a call may start while the kernel before it on the stream ends (programmatic dependent
/// launch: CUDA, compute capability 9.0). Elsewhere all calls are as with `none`. The result, the
/// workspace and the order of the stream are the same each time: a call with any of these is
/// complete only when all before it is.
enum class Overlap {
  none,            ///< the call starts when all before it is complete
  after_previous,  ///< it is launched before, and reads nothing until all before it is complete
  /// It also loads its input, and the number of elements where that is on the device, before then.
  /// So these must not come from the kernel before; and where that one is such a call itself, or
  /// another kernel that lets the next one start before it has waited, not from the one before that
  /// either, and so on.
  input_ready
};

#pragma GCC visibility push(hidden)
/// What is chosen for so many bytes.
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
  // Where memory is slower for as many SMs, they have time for blocks that load once and end.
  const bool slow = gpu.bandwidth != 0 && gpu.bandwidth < 30 * gpu.units;
  if (bytes >= 2048 * mi && slow) return {1024, 4, Choice::one_pass};
  return {1024, 4, 64};
}
#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
