#pragma once

// Replaces common/gpu/platform.hpp: a third platform with wavefronts of LADDER_WAVE lanes.

#include <algorithm>
#include <cstring>

#include <hip/hip_runtime.h>

#include "common/gpu/model.hpp"
#include "common/half.hpp"

#define LADDER_DEVICE
#define LADDER_DEVICE_RARE
#define LADDER_UNROLLED_WHOLE
#define LADDER_NOT_UNROLLED

namespace ladder::hip {

using FourWords = uint4;
using TwoLongs = ulonglong2;
using LongWord = unsigned long long;

constexpr unsigned wave_size() { return LADDER_WAVE; }

constexpr unsigned least_resident(unsigned blocks) { return blocks; }

inline void sync_wave() { fibers::meet_wave(); }

/// Returns the value of `lane`. For a lane past the wavefront or the block, returns bytes 0x5A,
/// which no rung may use.
template <class T>
T of_lane(T value, unsigned lane) {
  const void* const slot = fibers::slot_of(&value, lane);
  T other;
  std::memset(&other, 0x5A, sizeof other);
  if (slot != nullptr) std::memcpy(&other, slot, sizeof other);
  fibers::meet_wave();  // `value` must live until all lanes have read it
  return other;
}
template <class T>
T from_above(T value, unsigned distance) {
  return of_lane(value, threadIdx.x % LADDER_WAVE + distance);
}

template <class Vector>
const Vector& bits_of(const Vector& vector) {
  return vector;
}

template <class T>
using Native = T;

inline float as_float(Half x) { return static_cast<float>(x); }

inline unsigned draw(unsigned* ticket) { return (*ticket)++; }

template <class T>
T look(const T* address) {
  return *address;
}

template <class T>
T get(const T* address) {
  return *address;
}
template <class T>
void put(T* address, T value) {
  *address = value;
}

template <class A>
void atomic_add(A* address, A value) {
  unsafeAtomicAdd(address, value);
}
template <class A>
void atomic_min(A* address, A value) {
  *address = std::min(*address, value);
}
template <class A>
void atomic_max(A* address, A value) {
  *address = std::max(*address, value);
}
template <class Word>
Word swap_if(Word* address, Word expected, Word wanted) {
  return atomicCAS(address, expected, wanted);
}

}  // namespace ladder::hip
