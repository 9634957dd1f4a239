#pragma once

// Replaces include/ladder/gpu/detail/gpu_platform.hpp: a third platform with wavefronts of
// LADDER_WAVE lanes.

#include <bit>
#include <cstdint>

#include <hip/hip_runtime.h>

#include "common/gpu/platform.hpp"
#include "ladder/version.hpp"

namespace ladder::hip::LADDER_VERSION::reduce_detail {

inline constexpr unsigned wave = LADDER_WAVE;
template <unsigned block, unsigned vectors>
inline constexpr unsigned least_resident = 1;

inline std::uint64_t get(const std::uint64_t* word) { return *word; }
inline void put(std::uint64_t* word, std::uint64_t value) { *word = value; }

inline void put_for_host(std::uint64_t* word, std::uint64_t value) { *word = value; }

inline unsigned lane_above(unsigned value, unsigned distance) {
  return from_above(value, distance);
}
inline unsigned lane_across(unsigned value, unsigned distance) {
  return of_lane(value, threadIdx.x % wave ^ distance);
}
inline unsigned lane_below(unsigned value, unsigned distance) {
  const unsigned lane = threadIdx.x % wave;
  return of_lane(value, lane < distance ? wave : lane - distance);  // lane `wave` does not exist
}
using Lanes = std::uint64_t;
inline Lanes lanes_with(bool mine) {
  Lanes all = 0;
  for (unsigned lane = 0; lane < wave; ++lane)
    if (of_lane(mine ? 1U : 0U, lane) == 1) all |= Lanes{1} << lane;
  return all;
}
inline unsigned highest_lane(Lanes some) {
  return 63 - static_cast<unsigned>(std::countl_zero(some));
}

inline void sync_wave() { fibers::meet_wave(); }
template <class Vector>
Vector load_once(const Vector* at) {
  return *at;
}

inline unsigned draw(unsigned* ticket) { return hip::draw(ticket); }

template <bool greater>
unsigned extreme_of_twos(unsigned a, unsigned b) {
  unsigned both = 0;
  for (const unsigned shift : {0U, 16U}) {
    const auto x = static_cast<std::int16_t>(a >> shift), y = static_cast<std::int16_t>(b >> shift);
    both |= unsigned{static_cast<std::uint16_t>(greater == (x < y) ? y : x)} << shift;
  }
  return both;
}

}  // namespace ladder::hip::LADDER_VERSION::reduce_detail
