#pragma once

// What NVIDIA's GPUs have: the namesake in hip/ has it for AMD's too.

#include <cstdint>

#include <cuda/atomic>
#include <cuda_runtime.h>

namespace ladder::cuda::reduce_detail {

/// What a block's threads are scheduled by.
inline constexpr unsigned warp = 32;

/// Threads that an SM holds, so that a kernel is given no more registers than let it be full, or
/// half full where the vectors under way alone take as many.
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

/// One access that the whole device agrees on, in no order with any other.
__device__ inline std::uint64_t get(std::uint64_t* word) {
  return Word(*word).load(::cuda::memory_order_relaxed);
}
__device__ inline void put(std::uint64_t* word, std::uint64_t value) {
  Word(*word).store(value, ::cuda::memory_order_relaxed);
}

/// For the host to see, as soon as it is written.
__device__ inline void put_for_host(std::uint64_t* word, std::uint64_t value) {
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*word).store(
      value, ::cuda::memory_order_relaxed);
}

/// What the lane `distance` above holds. All lanes have to call it.
__device__ inline unsigned lane_above(unsigned value, unsigned distance) {
  return __shfl_down_sync(0xFFFFFFFFu, value, distance);
}

/// The less or the greater of each two of 16 bits with a sign.
template <bool greater>
__device__ unsigned extreme_of_twos(unsigned a, unsigned b) {
  return greater ? __vmaxs2(a, b) : __vmins2(a, b);
}

}  // namespace ladder::cuda::reduce_detail
