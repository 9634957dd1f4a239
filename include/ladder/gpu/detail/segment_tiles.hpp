#pragma once

// What a wave needs for its tiles of segments: sizes, the begin of its share, and staging in shared
// memory.

#include <algorithm>
#include <cstdint>

#include "ladder/gpu/detail/batch_kernels.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

#pragma GCC visibility push(hidden)
/// Elements per lane and tile: whole vectors, adjacent in shared memory. `pitch`: their distance
/// there; the 16 bytes between lanes avoid bank conflicts.
template <class In, class A>
inline constexpr unsigned segment_elements = std::max(sizeof(A) <= 4   ? 16U
                                                      : sizeof(A) <= 8 ? 8U
                                                                       : 4U,
                                                      Access<In>::width);
template <class In, class A>
inline constexpr unsigned segment_pitch = segment_elements<In, A> +
                                          (sizeof(A) < 16 ? 16 / unsigned{sizeof(A)} : 1);
template <class In, class A>
inline constexpr unsigned segment_tile = wave* segment_elements<In, A>;
template <class In, class A>
__device__ int place_in_shared(int place) {
  constexpr int each = segment_elements<In, A>, pitch = segment_pitch<In, A>;
  return place + place / each * (pitch - each);
}
/// Maximum steps of a wave, and what is beyond them for it.
inline constexpr int most_of_share = 1 << 29;
__device__ inline int to_int(Index count) {
  return count < most_of_share ? static_cast<int>(count) : most_of_share;
}
/// Threads and waves per block, and resident blocks per SM, which bound the registers.
template <class In, class A>
inline constexpr unsigned segment_block = fitting_block(batch_block,
                                                        segment_pitch<In, A> * sizeof(A));
template <class In, class A>
inline constexpr unsigned segment_waves = segment_block<In, A> / wave;
template <class A>
inline constexpr unsigned segment_blocks = std::min(sizeof(A) > 4 ? 3U : 4U,
                                                    least_resident<batch_block, 1>);

/// Binary search on the merge path: the number of ascending `ends` whose steps are complete before
/// step `at`, in [least, most]. All lanes of a wave probe at once, which leaves few dependent
/// loads.
template <class Offset>
__device__ Index ends_before(const Offset* ends, Index least, Index most, Index at) {
  const Index lane = threadIdx.x % wave;
  while (least < most) {
    const Index span = most - least, probe = least + span * lane / Index{wave};
    unsigned before = Index(ends[probe]) <= at - end_steps * (probe + 1) ? 1 : 0;
    for (unsigned d = wave / 2; d > 0; d /= 2) before += lane_across(before, d);
    if (before < wave) most = least + span * before / Index{wave};
    if (before > 0) least += span * (before - 1) / Index{wave} + 1;
  }
  return least;
}

/// Copies `count` adjacent values of a lane to or from shared memory, 16 bytes at a time if each
/// lane's begin at a multiple of them.
template <unsigned pitch, unsigned count, class A>
inline constexpr bool fills_vectors = pitch * sizeof(A) % 16 == 0 && count * sizeof(A) % 16 == 0;
template <unsigned pitch, unsigned count, class A>
__device__ void copy_to_shared(A* to, const Room<A> (&from)[count]) {
  if constexpr (fills_vectors<pitch, count, A>) {
    Vector32 vectors[count * sizeof(A) / 16];
    __builtin_memcpy(vectors, from, sizeof vectors);
#pragma unroll
    for (unsigned k = 0; k < count * sizeof(A) / 16; ++k)
      reinterpret_cast<Vector32*>(to)[k] = vectors[k];
  } else {
#pragma unroll
    for (unsigned k = 0; k < count; ++k) to[k] = from[k].value;
  }
}
template <unsigned pitch, unsigned count, class A>
__device__ void copy_from_shared(Room<A> (&to)[count], const A* from) {
  if constexpr (fills_vectors<pitch, count, A>) {
    Vector32 vectors[count * sizeof(A) / 16];
#pragma unroll
    for (unsigned k = 0; k < count * sizeof(A) / 16; ++k)
      vectors[k] = reinterpret_cast<const Vector32*>(from)[k];
    __builtin_memcpy(to, vectors, sizeof vectors);
  } else {
#pragma unroll
    for (unsigned k = 0; k < count; ++k) to[k].value = from[k];
  }
}

/// Stores a wave's loads of a tile in shared memory, an element per place.
template <class In, class A, unsigned loads>
__device__ void stage(const Loaded<In, A> (&loaded)[loads], A* tile) {
  constexpr int width = Access<In>::width, each = segment_elements<In, A>;
  constexpr int pitch = segment_pitch<In, A>, apart = int{wave} * width / each * pitch;
  const int first = place_in_shared<In, A>(static_cast<int>(threadIdx.x % wave) * width);
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    A* const to = tile + first + static_cast<int>(k) * apart;
    if constexpr (width == 1) {
      *to = loaded[k].room.value;
    } else {
      with_elements<In>(loaded[k].vector, [&](const auto* elements) {
        Room<A> converted[Access<In>::width];
#pragma unroll
        for (int i = 0; i < width; ++i) converted[i].value = reduce_detail::cast<A>(elements[i]);
        copy_to_shared<segment_pitch<In, A>>(to, converted);
      });
    }
  }
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
