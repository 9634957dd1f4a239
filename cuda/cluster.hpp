#pragma once

// Clusters of blocks: those of one are resident together and reach each other's shared memory (PTX
// ISA 7.8, compute capability 9.0). For kernels that `Queue::launch_in_clusters` launches.

#include <cstddef>
#include <cstdint>

#include "cuda/target.hpp"

namespace ladder::cuda {

/// Blocks of a cluster: as many as every device with clusters takes.
inline constexpr unsigned cluster = 8;

/// The least multiple of a cluster that has so many blocks.
constexpr std::size_t in_whole_clusters(std::size_t blocks) {
  return (blocks + cluster - 1) / cluster * cluster;
}

/// The block's place in its cluster.
__device__ inline unsigned cluster_rank() {
  unsigned rank = 0;
  if constexpr (target >= 90) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// The two halves of a barrier of the cluster: every thread of it has to call both, in turns. What
/// was written before the first, by any of them, is seen behind the second.
__device__ inline void arrive_at_cluster() {
  if constexpr (target >= 90) asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void wait_for_cluster() {
  if constexpr (target >= 90) asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

/// Where the block `rank` of the cluster has what is at `address` in the own shared memory. That
/// block has to have begun, and may not have ended.
template <class T>
__device__ T* in_block(T* address, unsigned rank) {
  auto there = reinterpret_cast<std::uintptr_t>(address);
  if constexpr (target >= 90) asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(there), "r"(rank));
  return reinterpret_cast<T*>(there);
}

}  // namespace ladder::cuda
