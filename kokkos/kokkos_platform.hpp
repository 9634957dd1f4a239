#pragma once

// Kokkos's words for what the idioms of common/gpu/ stand on: there `common/gpu/platform.hpp` is
// this header where a unit is compiled for Kokkos (kokkos/CMakeLists.txt).

#include <bit>
#include <cstdint>

#include <Kokkos_Core.hpp>

#include "common/half.hpp"

#define LADDER_MODEL kokkos
#define LADDER_DEVICE KOKKOS_FUNCTION
#define LADDER_DEVICE_RARE KOKKOS_FUNCTION

// The one thing about a loop that the portable model has no word for, and that a comparison cannot
// do without: how far it is unrolled. On a GPU four steps, as in the native rungs, so that the
// loads of four are under way before the first is used; host compilers are left to themselves.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_UNROLLED _Pragma("unroll 4")
#define LADDER_UNROLLED_WHOLE _Pragma("unroll")
#else
#define LADDER_UNROLLED
#define LADDER_UNROLLED_WHOLE
#endif
#define LADDER_NOT_UNROLLED

namespace ladder::kokkos {

// Kokkos has no word for a load of 16 bytes: where a GPU's compiler is at work it is of a built-in
// vector type, since a struct of our own is taken apart into loads of its members; on a host any
// struct of that size will do, as a thread's walk over neighbouring vectors is what counts there.
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
/// 64 bits as the atomic functions take them.
using LongWord = std::uint64_t;

/// A vector as something that can be cast to its elements.
template <class Vector>
KOKKOS_FUNCTION const Vector& bits_of(const Vector& vector) {
  return vector;
}

/// By the hardware's own conversion, where Kokkos has a type of 16 bits.
template <class H = Kokkos::Experimental::half_t>
KOKKOS_FUNCTION float as_float(Half x) {
  if constexpr (sizeof(H) == sizeof(Half)) {
    return Kokkos::Experimental::cast_from_half<float>(std::bit_cast<H>(x));
  } else {
    return static_cast<float>(x);
  }
}

/// How many teams have drawn before, `*ticket` having been zero. What the calling thread wrote
/// before is seen by whoever draws later, and by its whole team once that has met at a barrier.
/// Kokkos's atomics take no memory order and are relaxed, so there is a full fence on either side.
KOKKOS_INLINE_FUNCTION unsigned draw(unsigned* ticket) {
  Kokkos::memory_fence();
  const unsigned drawn = Kokkos::atomic_fetch_add(ticket, 1U);
  Kokkos::memory_fence();
  return drawn;
}

/// What is there now, or was a moment ago: read from memory each time.
template <class Word>
KOKKOS_FUNCTION Word look(const Word* address) {
  return Kokkos::atomic_load(address);
}

/// One access of eight bytes that is not kept in a register, which is all that is asked for here.
/// Kokkos's own atomic_load and atomic_store are updates in 5.0 (desul has one loop around a
/// compare and exchange for both), and updates of one word stand in line for it.
KOKKOS_INLINE_FUNCTION std::uint64_t get(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}
KOKKOS_INLINE_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

/// *address += value, atomic on the whole device, unordered; likewise minimum and maximum. Those of
/// floating types know neither NaN nor the sign of a zero.
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
/// *address = wanted if it is `expected`; returns what it was. Atomic on the whole device.
template <class Word>
KOKKOS_FUNCTION Word swap_if(Word* address, Word expected, Word wanted) {
  return Kokkos::atomic_compare_exchange(address, expected, wanted);
}

}  // namespace ladder::kokkos
