#pragma once

// How a reduction is launched on a GPU: what can be chosen, and what is. A host has one way.

#include <cstddef>

#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

/// Threads per team, vectors of 16 bytes (or elements, where the input is no pointer) that each has
/// under way at once, and how many teams: so many per SM, or one of these.
struct Choice {
  static constexpr int alone = -1;    ///< one team in all
  static constexpr int one_pass = 0;  ///< as many as it takes for each thread to load once
  unsigned block, vectors;
  int per_unit;
};

/// What there are kernels for.
inline constexpr struct {
  unsigned block, vectors;
} instances[] = {{256, 1}, {512, 1}, {512, 2}, {512, 4}, {1024, 4}};

#pragma GCC visibility push(hidden)
/// What is chosen for so many bytes.
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
