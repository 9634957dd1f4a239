#pragma once

// Where the idioms that rungs are written in meet the differences between NVIDIA's GPUs, under CUDA
// and HIP, and AMD's. What the header meets too (ladder/gpu/detail/gpu_platform.hpp) is there. A
// model that is neither CUDA nor HIP brings its own words for the same.

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

/// What stands before a function of the device, and before a long one that is seldom called.
#define LADDER_DEVICE __device__
#define LADDER_DEVICE_RARE __device__ __noinline__
#define LADDER_UNROLLED_WHOLE _Pragma("unroll")
#define LADDER_NOT_UNROLLED _Pragma("unroll 1")

namespace ladder::LADDER_MODEL {

// The built-in vector types alone are loaded in one piece for sure: a struct of our own is taken
// apart into loads of its members.
using FourWords = uint4;
using TwoLongs = ulonglong2;
/// 64 bits as the atomic functions take them.
using LongWord = unsigned long long;

/// Words that the whole device agrees on, each accessed at once; and how many blocks have drawn
/// before, `*ticket` having been zero. What the calling thread wrote before it drew is seen by
/// whoever draws later, and by its whole block once that has met at a barrier.
using reduce_detail::get, reduce_detail::put, reduce_detail::draw;

/// Threads that are scheduled together, a warp or wavefront: a constant of the architecture that is
/// compiled for. A program may have code for several, so the host has to ask the device.
__device__ constexpr unsigned wave_size() { return reduce_detail::wave; }

#if !defined(__HIP_PLATFORM_AMD__)

inline constexpr unsigned warp = 32;

/// What a kernel says of its registers: how many of its blocks are to be resident on an SM.
constexpr unsigned least_resident(unsigned blocks) { return blocks; }

/// A mask has one bit for each of 32 lanes.
template <class T>
__device__ T shuffled_down(T value, unsigned distance) {
  return __shfl_down_sync(0xFFFFFFFFu, value, distance);
}

/// Until all lanes of the wavefront are here, and see what each of them has written to memory.
__device__ inline void sync_wave() { __syncwarp(); }

/// A built-in vector as something that can be cast to its elements.
template <class Vector>
__device__ const Vector& bits_of(const Vector& vector) {
  return vector;
}

/// CUDA's own types of 16 bits in place of those that are only stored as such.
template <class T>
using Native =
    std::conditional_t<std::is_same_v<T, Half>, __half,
                       std::conditional_t<std::is_same_v<T, Bfloat16>, __nv_bfloat16, T>>;

/// By the hardware's own conversion.
__device__ inline float as_float(Half x) { return __half2float(std::bit_cast<__half>(x)); }

/// What is there now, or was a moment ago: read from memory each time.
template <class T>
__device__ T look(const T* address) {
  return *static_cast<const volatile T*>(address);
}

/// *address += value, atomic on the whole device, unordered. The instruction for floats takes
/// subnormal numbers for zero (PTX ISA, `red`: on global memory); that for doubles does not.
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

/// What a kernel says of its registers: on AMD wavefronts for each SIMD, and with one of them the
/// compiler has all the registers that a block of its size can have.
constexpr unsigned least_resident(unsigned) { return 1; }

/// No mask is needed: the lanes of a wavefront have one program counter.
template <class T>
__device__ T shuffled_down(T value, unsigned distance) {
  return __shfl_down(value, distance);
}

/// Until all lanes of the wavefront are here, and see what each of them has written to memory. They
/// are here together anyway; the compiler may not move accesses across it.
__device__ inline void sync_wave() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/// A built-in vector as something that can be cast to its elements: here it is a class around one.
template <class Vector>
__device__ auto bits_of(const Vector& vector) {
  return vector.data;
}

/// HIP's own types of 16 bits have other names from version to version: the project's stay.
template <class T>
using Native = T;

/// By the hardware's own conversion.
__device__ inline float as_float(Half x) { return std::bit_cast<_Float16>(x); }

/// What is there now, or was a moment ago: read from memory each time. Through a
/// volatile pointer clang no longer knows that this is global memory.
template <class T>
__device__ T look(const T* address) {
  return __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/// *address += value, atomic on the whole device, unordered: by an instruction where the hardware
/// has it, in memory that the host does not reach. `unsafe` says that the compiler need not care
/// for other memory.
template <class A>
__device__ void atomic_add(A* address, A value) {
  if constexpr (std::is_integral_v<A>) {
    atomicAdd(address, value);
  } else {
    unsafeAtomicAdd(address, value);
  }
}
/// *address = min(*address, value), atomic on the whole device, unordered; likewise max. HIP 5 has
/// no `atomicMin` of 64 bits with a sign.
template <class A>
__device__ void atomic_min(A* address, A value) {
  __hip_atomic_fetch_min(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class A>
__device__ void atomic_max(A* address, A value) {
  __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#endif

/// The value that the lane `distance` above holds. Every lane of the wavefront has to call it.
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

/// *address = wanted if it is `expected`; returns what it was. Atomic on the whole device.
template <class Word>
__device__ Word swap_if(Word* address, Word expected, Word wanted) {
  return atomicCAS(address, expected, wanted);
}

}  // namespace ladder::LADDER_MODEL

#endif
