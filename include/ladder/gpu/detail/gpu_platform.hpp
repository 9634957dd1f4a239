#pragma once

// Device functions that differ between NVIDIA's GPUs, under CUDA and HIP, and AMD's.

#include <cstdint>

#include "ladder/gpu/detail/gpu_model.hpp"
#if !defined(__HIP_PLATFORM_AMD__)
#include <cuda/atomic>
#endif

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

#if !defined(__HIP_PLATFORM_AMD__)

/// Lanes per wave: a warp on NVIDIA, a wavefront on AMD.
inline constexpr unsigned wave = 32;

/// Resident threads per SM. They bound the registers of a kernel to allow full occupancy, or half
/// where the vectors in flight need as many registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr unsigned resident = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                                 __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr unsigned resident = 1536;
#else
inline constexpr unsigned resident = 2048;
#endif
template <unsigned block, unsigned vectors>
inline constexpr unsigned least_resident = resident / block / (vectors > 4 ? 2 : 1);

using Word = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device>;

/// Relaxed device-scope accesses.
__device__ inline std::uint64_t get(std::uint64_t* word) {
  return Word(*word).load(::cuda::memory_order_relaxed);
}
__device__ inline void put(std::uint64_t* word, std::uint64_t value) {
  Word(*word).store(value, ::cuda::memory_order_relaxed);
}

/// Returns the number of earlier draws. Acquire-release: a later draw sees all that this thread
/// wrote or saw before.
__device__ inline unsigned draw(unsigned* ticket) {
  return ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>(*ticket).fetch_add(
      1, ::cuda::memory_order_acq_rel);
}

/// System-scope store that the host can poll.
__device__ inline void put_for_host(std::uint64_t* word, std::uint64_t value) {
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*word).store(
      value, ::cuda::memory_order_relaxed);
}

/// Value of the lane `distance` above. All lanes must call it.
__device__ inline unsigned lane_above(unsigned value, unsigned distance) {
  return __shfl_down_sync(0xFFFFFFFFu, value, distance);
}

/// Values of the lane at `lane ^ distance` and of the lane `distance` below. All lanes must call
/// these.
__device__ inline unsigned lane_across(unsigned value, unsigned distance) {
  return __shfl_xor_sync(0xFFFFFFFFu, value, distance);
}
__device__ inline unsigned lane_below(unsigned value, unsigned distance) {
  return __shfl_up_sync(0xFFFFFFFFu, value, distance);
}

/// Value of `lane`, the same for all lanes. All lanes must call it.
__device__ inline unsigned of_lane(unsigned value, unsigned lane) {
  return __shfl_sync(0xFFFFFFFFu, value, static_cast<int>(lane));
}
/// Barrier of the wave; its lanes then see each other's earlier writes.
__device__ inline void sync_wave() { __syncwarp(); }

/// One bit per lane.
using Lanes = unsigned;
/// Lanes whose `mine` is true. All lanes must call it.
__device__ inline Lanes lanes_with(bool mine) { return __ballot_sync(0xFFFFFFFFu, mine); }
/// Highest lane in `some`, which must not be empty.
__device__ inline unsigned highest_lane(Lanes some) {
  return 31 - static_cast<unsigned>(__clz(static_cast<int>(some)));
}

/// Loads 16 bytes that the L2 cache need not keep.
template <class Vector>
__device__ Vector load_once(const Vector* at) {
  return __ldcs(at);
}

/// Minimum or maximum of each pair of signed 16-bit halves.
template <bool greater>
__device__ unsigned extreme_of_twos(unsigned a, unsigned b) {
  return greater ? __vmaxs2(a, b) : __vmins2(a, b);
}

#else

/// Lanes per wavefront of the device architecture; the value in host code is meaningless.
#if defined(__AMDGCN_WAVEFRONT_SIZE)  // removed in ROCm 7
inline constexpr unsigned wave = __AMDGCN_WAVEFRONT_SIZE;
#elif defined(__GFX9__) || !defined(__HIP_DEVICE_COMPILE__)
inline constexpr unsigned wave = 64;
#else
inline constexpr unsigned wave = 32;
#endif

/// Resident wavefronts per SIMD; 1 leaves register allocation to the compiler.
template <unsigned block, unsigned vectors>
inline constexpr unsigned least_resident = 1;

__device__ inline std::uint64_t get(std::uint64_t* word) {
  return __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void put(std::uint64_t* word, std::uint64_t value) {
  __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ inline unsigned draw(unsigned* ticket) {
  return __hip_atomic_fetch_add(ticket, 1U, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ inline void put_for_host(std::uint64_t* word, std::uint64_t value) {
  __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ inline unsigned lane_above(unsigned value, unsigned distance) {
  return __shfl_down(value, distance);
}

__device__ inline unsigned lane_across(unsigned value, unsigned distance) {
  return __shfl_xor(value, distance);
}
__device__ inline unsigned lane_below(unsigned value, unsigned distance) {
  return __shfl_up(value, distance);
}

__device__ inline unsigned of_lane(unsigned value, unsigned lane) {
  return __shfl(value, static_cast<int>(lane));
}
/// The lanes run together anyway; the compiler may not move accesses across it.
__device__ inline void sync_wave() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

using Lanes = std::uint64_t;
__device__ inline Lanes lanes_with(bool mine) { return __ballot(mine); }
__device__ inline unsigned highest_lane(Lanes some) {
  return 63 - static_cast<unsigned>(__clzll(static_cast<long long>(some)));
}

template <class Vector>
__device__ Vector load_once(const Vector* at) {
  return *at;
}

template <bool greater>
__device__ unsigned extreme_of_twos(unsigned a, unsigned b) {
  using Twos = short __attribute__((ext_vector_type(2)));
  const auto x = __builtin_bit_cast(Twos, a), y = __builtin_bit_cast(Twos, b);
  return __builtin_bit_cast(
      unsigned, greater ? __builtin_elementwise_max(x, y) : __builtin_elementwise_min(x, y));
}

#endif

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
