#pragma once

// Programmatic dependent launch and thread-block clusters. Both need NVIDIA compute capability 9.0;
// code for other devices does nothing.

#include <cstdint>

#include "ladder/gpu/detail/gpu_model.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Programmatic dependent launch (PTX ISA 7.8): no effect in other launches. Waits until the
/// preceding kernel is complete and its writes are visible.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Lets the next kernel start once every block has called this or ended.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// The two halves of a cluster barrier (PTX ISA 7.8), which every thread calls alternately. Writes
/// before the arrive are visible after the wait. The kernel must run as one cluster.
__device__ inline void arrive_at_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}
__device__ inline void wait_for_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}
/// Address in the first block's shared memory that corresponds to `address` in the caller's. The
/// first block must have started.
template <class T>
__device__ T* in_first_block(T* address) {
  auto there = reinterpret_cast<std::uint64_t>(address);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mapa.u64 %0, %1, 0;" : "=l"(there) : "l"(there));
#endif
  return reinterpret_cast<T*>(there);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
