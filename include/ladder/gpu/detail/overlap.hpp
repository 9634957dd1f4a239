#pragma once

// What kernels do that overlap with those before and behind them, and blocks that are a cluster.
// Both are NVIDIA's, from compute capability 9.0 on: in code for other devices nothing is done.

#include <cstdint>

#include "ladder/gpu/detail/gpu_model.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Of kernels that are launched so that they may start while the one before them on the stream ends
/// (programmatic dependent launch, PTX ISA 7.8). In other launches neither does anything.
///
/// Waits until the kernel before is complete and what it wrote is visible.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Lets the kernel behind start as soon as all blocks have come here, or have ended.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Of a kernel that is launched as one cluster of blocks (PTX ISA 7.8). A barrier of the cluster
/// has two halves, which every thread calls in turns: what was written before the first is seen
/// behind the second.
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
/// Where the cluster's first block, which has to have begun, has what is at `address` in the own
/// shared memory.
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
