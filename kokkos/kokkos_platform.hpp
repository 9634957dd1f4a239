#pragma once

// Kokkos implementation of the platform that common/gpu/ builds on; replaces
// `common/gpu/platform.hpp` in Kokkos units (kokkos/CMakeLists.txt).

#include <bit>
#include <cstdint>

#include <Kokkos_Core.hpp>

#include "common/half.hpp"

#define LADDER_MODEL kokkos
#define LADDER_DEVICE KOKKOS_FUNCTION
#define LADDER_DEVICE_RARE KOKKOS_FUNCTION

// Loop unrolling, which Kokkos cannot express and a comparison needs. On a GPU four steps, as in
// the native rungs, so that four loads are in flight before the first is used. Host compilers
// decide themselves.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_UNROLLED _Pragma("unroll 4")
#define LADDER_UNROLLED_WHOLE _Pragma("unroll")
#else
#define LADDER_UNROLLED
#define LADDER_UNROLLED_WHOLE
#endif
#define LADDER_NOT_UNROLLED

namespace ladder::kokkos {

// 16-byte loads, which Kokkos lacks. GPU compilers need a built-in vector type, because they split
// the load of a user-defined struct. On a host any struct of that size works, since a thread walks
// over adjacent vectors.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using FourWords = uint4;
using TwoLongs = ulonglong2;
#else
struct alignas(16) FourWords {
  std::uint32_t at[4];
};
struct alignas(16) TwoLongs {
  std::uint64_t at[2];
};
#endif
/// 64-bit word of the atomic functions.
using LongWord = std::uint64_t;

/// A vector that can be cast to its elements.
template <class Vector>
KOKKOS_FUNCTION const Vector& bits_of(const Vector& vector) {
  return vector;
}

/// Hardware conversion where Kokkos has a 16-bit type.
template <class H = Kokkos::Experimental::half_t>
KOKKOS_FUNCTION float as_float(Half x) {
  if constexpr (sizeof(H) == sizeof(Half)) {
    return Kokkos::Experimental::cast_from_half<float>(std::bit_cast<H>(x));
  } else {
    return static_cast<float>(x);
  }
}

/// Returns the number of earlier draws; `*ticket` starts at zero. Writes of this thread are visible
/// to later drawers, and to their teams after a barrier. Kokkos's atomics are relaxed; hence the
/// two full fences.
KOKKOS_INLINE_FUNCTION unsigned draw(unsigned* ticket) {
  Kokkos::memory_fence();
  const unsigned drawn = Kokkos::atomic_fetch_add(ticket, 1U);
  Kokkos::memory_fence();
  return drawn;
}

/// Current or recent value, read from memory each time.
template <class Word>
KOKKOS_FUNCTION Word look(const Word* address) {
  return Kokkos::atomic_load(address);
}

/// Eight-byte accesses that bypass registers. Kokkos 5.0 implements atomic_load and atomic_store as
/// compare-exchange loops (desul), which contend at one word.
KOKKOS_INLINE_FUNCTION std::uint64_t get(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}
KOKKOS_INLINE_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

/// *address += value, atomic and relaxed at device scope; likewise minimum and maximum.
/// Floating-point versions ignore NaN and the sign of zero.
template <class A>
KOKKOS_FUNCTION void atomic_add(A* address, A value) {
  Kokkos::atomic_add(address, value);
}
template <class A>
KOKKOS_FUNCTION void atomic_min(A* address, A value) {
  Kokkos::atomic_min(address, value);
}
template <class A>
KOKKOS_FUNCTION void atomic_max(A* address, A value) {
  Kokkos::atomic_max(address, value);
}
/// Compare-and-swap at device scope; returns the previous value.
template <class Word>
KOKKOS_FUNCTION Word swap_if(Word* address, Word expected, Word wanted) {
  return Kokkos::atomic_compare_exchange(address, expected, wanted);
}

}  // namespace ladder::kokkos
