#pragma once

// Launch configuration of a reduction on a GPU: the available choices and the default.

#include <cstddef>

#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

/// Launch configuration: threads per team, loads in flight per thread, and teams per SM or one of
/// the constants. A load is a 16-byte vector, or one element of an input without vectors.
struct Choice {
  static constexpr int alone = -1;    ///< one team
  static constexpr int one_pass = 0;  ///< as many teams as one load round per thread needs
  unsigned block, vectors;
  int per_unit;
};

/// Compiled kernels.
inline constexpr struct {
  unsigned block, vectors;
} instances[] = {{256, 1}, {512, 1}, {512, 2}, {512, 4}, {1024, 4}};

#pragma GCC visibility push(hidden)
/// Default launch configuration for an input of `bytes` bytes.
constexpr Choice usual_choice(std::size_t bytes) {
  constexpr std::size_t ki = 1024, mi = ki * ki;
  if (bytes <= 4 * ki) return {256, 1, Choice::alone};
  if (bytes <= 8 * ki) return {512, 1, Choice::alone};
  if (bytes <= 16 * ki) return {512, 2, Choice::alone};
  if (bytes <= 32 * ki) return {512, 4, Choice::alone};
  if (bytes <= 64 * ki) return {1024, 4, Choice::alone};
  if (bytes <= 512 * ki) return {256, 1, Choice::one_pass};
  if (bytes < 512 * mi) return {512, 4, 4};
  return {1024, 4, 64};
}
#pragma GCC visibility pop

}  // namespace ladder::kokkos::LADDER_VERSION
