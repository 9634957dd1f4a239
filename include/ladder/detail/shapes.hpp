#pragma once

// Shapes of many reductions at once and the arithmetic on them, the same in CUDA, HIP and Kokkos.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ladder/detail/elements.hpp"

namespace ladder::LADDER_VERSION::reduce_detail {

/// Row g begins at element g * pitch.
struct RowsOf {
  Index count, length, pitch;
};

/// Segments, as the caller has them.
template <class Offset>
struct Segments {
  const Offset* offsets;
  Index count, n;
};

#pragma GCC visibility push(hidden)

/// True if the elements of so many rows can be counted.
constexpr bool fits(std::size_t rows, std::size_t pitch) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  return rows <= most && (rows == 0 || pitch <= most / rows);
}

constexpr Index parts_of(Index n, Index part) { return (n + part - 1) / part; }
constexpr unsigned log_of(Index n) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(n)));
}

/// The input from element n on.
template <class In>
LADDER_FUNCTION In advanced(const In& x, Index n) {
  return x + n;
}
template <class T>
LADDER_FUNCTION OneByOne<T> advanced(const OneByOne<T>& x, Index n) {
  return {x.x + n};
}

/// True if every row begins where a vector does.
template <class In>
bool rows_begin_at_boundaries(const In& x, Index pitch) {
  if constexpr (Access<In>::width == 1) return true;
  return begins_at_a_boundary(x) && pitch % Index{Access<In>::width} == 0;
}

/// Calls `f(input)` with `x` if its rows can be read in vectors, else with what reads one element
/// at a time.
template <class In, class F>
void in_its_width(const In& x, Index length, Index pitch, F&& f) {
  if constexpr (Access<In>::width == 1) {
    f(x);
  } else {
    if (rows_begin_at_boundaries(x, pitch) && length >= Index{Access<In>::width}) return f(x);
    f(one_by_one(x));
  }
}

#pragma GCC visibility pop

}  // namespace ladder::LADDER_VERSION::reduce_detail
