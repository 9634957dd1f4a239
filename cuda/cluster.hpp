#pragma once

// Thread-block clusters, which access each other's shared memory (PTX ISA 7.8, compute capability
// 9.0). For kernels launched by `Queue::launch_in_clusters`.

#include <cstddef>
#include <cstdint>

#include "cuda/target.hpp"

namespace ladder::cuda {

/// Blocks per cluster: the portable maximum.
inline constexpr unsigned cluster = 8;

/// Rounds `blocks` up to whole clusters.
constexpr std::size_t in_whole_clusters(std::size_t blocks) {
  return (blocks + cluster - 1) / cluster * cluster;
}

/// Rank of the block in its cluster.
__device__ inline unsigned cluster_rank() {
  unsigned rank = 0;
  if constexpr (target >= 90) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// The two halves of a cluster barrier, which every thread calls alternately. Writes before the
/// arrive are visible after the wait.
__device__ inline void arrive_at_cluster() {
  if constexpr (target >= 90) asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void wait_for_cluster() {
  if constexpr (target >= 90) asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

/// Address in the shared memory of block `rank` that corresponds to `address` in the caller's. That
/// block must have started, and must not have ended.
template <class T>
__device__ T* in_block(T* address, unsigned rank) {
  auto there = reinterpret_cast<std::uintptr_t>(address);
  if constexpr (target >= 90) asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(there), "r"(rank));
  return reinterpret_cast<T*>(there);
}

}  // namespace ladder::cuda
