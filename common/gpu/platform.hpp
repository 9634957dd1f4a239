#pragma once

// Device functions of the rungs that differ between NVIDIA's GPUs, under CUDA and HIP, and AMD's.
// The header's are in ladder/gpu/detail/gpu_platform.hpp. Other models define the same names in
// LADDER_PLATFORM.

#if defined(LADDER_PLATFORM)
#include LADDER_PLATFORM
#else

#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/gpu/model.hpp"
#if defined(__HIP_PLATFORM_AMD__)
#include <hip/hip_runtime.h>
#else
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif

#include "common/half.hpp"
#include "ladder/gpu/detail/gpu_platform.hpp"

/// Qualifiers of a device function, and of a long one that is seldom called.
#define LADDER_DEVICE __device__
#define LADDER_DEVICE_RARE __device__ __noinline__
#define LADDER_UNROLLED_WHOLE _Pragma("unroll")
#define LADDER_NOT_UNROLLED _Pragma("unroll 1")

namespace ladder::LADDER_MODEL {

// Only built-in vector types are sure to be loaded in one piece: a struct of our own is split into
// loads of its members.
using FourWords = uint4;
using TwoLongs = ulonglong2;
/// 64-bit type of the atomic functions.
using LongWord = unsigned long long;

/// Relaxed device-scope access to words, and a draw that returns the number of earlier draws from
/// `*ticket`, initially zero. A thread that draws later sees what the calling thread wrote before;
/// so does its block after a barrier.
using reduce_detail::get, reduce_detail::put, reduce_detail::draw;
/// Barrier of the wavefront; its lanes then see each other's earlier writes.
using reduce_detail::sync_wave;

/// Threads that are scheduled together, a warp or wavefront: a constant of the target architecture.
/// A program may have code for several, so the host must query the device.
__device__ constexpr unsigned wave_size() { return reduce_detail::wave; }

#if !defined(__HIP_PLATFORM_AMD__)

inline constexpr unsigned warp = 32;

/// Launch bound of a kernel, which limits its registers: minimum of resident blocks per SM.
constexpr unsigned least_resident(unsigned blocks) { return blocks; }

/// The mask has one bit for each of 32 lanes.
template <class T>
__device__ T shuffled_down(T value, unsigned distance) {
  return __shfl_down_sync(0xFFFFFFFFu, value, distance);
}

/// A built-in vector in a form that can be cast to its elements.
template <class Vector>
__device__ const Vector& bits_of(const Vector& vector) {
  return vector;
}

/// CUDA's own 16-bit types instead of the storage types.
template <class T>
using Native =
    std::conditional_t<std::is_same_v<T, Half>, __half,
                       std::conditional_t<std::is_same_v<T, Bfloat16>, __nv_bfloat16, T>>;

/// Uses the hardware conversion.
__device__ inline float as_float(Half x) { return __half2float(std::bit_cast<__half>(x)); }

/// Current or slightly older value: read from memory on each call.
template <class T>
__device__ T look(const T* address) {
  return *static_cast<const volatile T*>(address);
}

/// *address += value, atomic on the whole device, unordered. The instruction for floats flushes
/// subnormal numbers to zero (PTX ISA, `red`: on global memory); that for doubles does not.
template <class A>
__device__ void atomic_add(A* address, A value) {
  atomicAdd(address, value);
}
/// *address = min(*address, value), atomic on the whole device, unordered; likewise max.
template <class A>
__device__ void atomic_min(A* address, A value) {
  atomicMin(address, value);
}
template <class A>
__device__ void atomic_max(A* address, A value) {
  atomicMax(address, value);
}

#else

/// Launch bound of a kernel: on AMD wavefronts per SIMD. With one, the compiler may use all the
/// registers that a block of its size can have.
constexpr unsigned least_resident(unsigned) { return 1; }

/// No mask is needed: the lanes of a wavefront have one program counter.
template <class T>
__device__ T shuffled_down(T value, unsigned distance) {
  return __shfl_down(value, distance);
}

/// A built-in vector in a form that can be cast to its elements: here a class wraps it.
template <class Vector>
__device__ auto bits_of(const Vector& vector) {
  return vector.data;
}

/// HIP's own 16-bit types have other names from version to version: the storage types stay.
template <class T>
using Native = T;

/// Uses the hardware conversion.
__device__ inline float as_float(Half x) { return std::bit_cast<_Float16>(x); }

/// Current or slightly older value: read from memory on each call. Through a volatile pointer clang
/// no longer infers that this is global memory.
template <class T>
__device__ T look(const T* address) {
  return __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/// *address += value, atomic on the whole device, unordered: one instruction if the hardware has
/// it, in memory that the host does not access. `unsafe` lets the compiler ignore other memory.
template <class A>
__device__ void atomic_add(A* address, A value) {
  if constexpr (std::is_integral_v<A>) {
    atomicAdd(address, value);
  } else {
    unsafeAtomicAdd(address, value);
  }
}
/// *address = min(*address, value), atomic on the whole device, unordered; likewise max. HIP 5 has
/// no signed 64-bit `atomicMin`.
template <class A>
__device__ void atomic_min(A* address, A value) {
  __hip_atomic_fetch_min(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class A>
__device__ void atomic_max(A* address, A value) {
  __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#endif

/// Value of the lane `distance` above. All lanes of the wavefront must call it.
template <class T>
__device__ T from_above(T value, unsigned distance) {
  if constexpr (sizeof(T) < 4) {
    return narrowed<T>(shuffled_down(widened(value), distance));
  } else if constexpr (std::is_class_v<T>) {
    struct Pieces {
      unsigned at[sizeof(T) / 4];
    };
    auto pieces = std::bit_cast<Pieces>(value);
#pragma unroll
    for (unsigned& piece : pieces.at) piece = shuffled_down(piece, distance);
    return std::bit_cast<T>(pieces);
  } else {
    return shuffled_down(value, distance);
  }
}

/// *address = wanted if it is `expected`; returns the previous value. Atomic on the whole device.
template <class Word>
__device__ Word swap_if(Word* address, Word expected, Word wanted) {
  return atomicCAS(address, expected, wanted);
}

}  // namespace ladder::LADDER_MODEL

#endif
