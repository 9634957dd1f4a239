#pragma once

// Shapes of batched reductions and their index arithmetic; shared by CUDA, HIP and Kokkos.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ladder/detail/vector_loads.hpp"

namespace ladder::LADDER_VERSION::reduce_detail {

/// `count` rows of `length` elements; row g begins at element g * pitch.
struct RowsOf {
  Index count, length, pitch;
};

/// The caller's segments: segment s is the elements [offsets[s], offsets[s + 1]).
template <class Offset>
struct Segments {
  const Offset* offsets;
  Index count, n;
};

/// Steps of a segment end on the merge path, where an element is one (timed on H200s: 12 to 20 are
/// fastest).
inline constexpr int end_steps = 16;

#pragma GCC visibility push(hidden)

/// True if rows * pitch does not overflow Index.
constexpr bool fits(std::size_t rows, std::size_t pitch) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  return rows <= most && (rows == 0 || pitch <= most / rows);
}
/// The caller's sizes as indices.
constexpr RowsOf rows_of(std::size_t count, std::size_t length, std::size_t pitch) {
  return {static_cast<Index>(count), static_cast<Index>(length), static_cast<Index>(pitch)};
}

template <class Integer>
LADDER_FUNCTION constexpr Integer smaller(Integer a, Integer b) {
  return a < b ? a : b;
}
constexpr Index parts_of(Index n, Index part) { return (n + part - 1) / part; }
constexpr unsigned log_of(Index n) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(n)));
}

/// True if every row begins at a vector boundary.
template <class In>
bool rows_begin_at_boundaries(const In& x, Index pitch) {
  if constexpr (Access<In>::width == 1) {
    return true;
  } else {
    return begins_at_a_boundary(x) && pitch % Index{Access<In>::width} == 0;
  }
}

/// Calls `f(x)` if the rows can be read in vectors, else `f(one_by_one(x))`.
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
