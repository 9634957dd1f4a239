#pragma once

// Stands in for include/ladder/hip/detail/platform.hpp: a third platform, whose wavefronts are as
// wide as LADDER_WAVE says.

#include <cstdint>

#include <hip/hip_runtime.h>

#include "hip/platform.hpp"

namespace ladder::hip::reduce_detail {

inline constexpr unsigned wave = LADDER_WAVE;
template <unsigned block>
inline constexpr unsigned least_resident = 1;

inline std::uint64_t get(const std::uint64_t* word) { return *word; }
inline void put(std::uint64_t* word, std::uint64_t value) { *word = value; }

inline void put_for_host(std::uint64_t* word, std::uint64_t value) { *word = value; }

inline unsigned lane_above(unsigned value, unsigned distance) {
  return from_above(value, distance);
}

}  // namespace ladder::hip::reduce_detail
