#pragma once

// Bulk copies into shared memory, started by one thread and executed by the Tensor Memory
// Accelerator (compute capability 9.0). Each warp uses its own.

#include <cstddef>
#include <cstdint>

#include <cuda/ptx>
#include <cuda_runtime.h>

#include "common/gpu/tree.hpp"
#include "cuda/target.hpp"

namespace ladder::cuda {

/// Destination of a warp's bulk copies: `slots` pieces of shared memory, each with an mbarrier that
/// counts the bytes. Copies to one slot are sequential. All lanes call these functions together;
/// lane 0 issues the copies.
template <unsigned slots>
class Landing {
 public:
  /// `arrived`: the warp's `slots` barriers in shared memory, uninitialized.
  __device__ explicit Landing(std::uint64_t* arrived) : arrived_(arrived) {
    if constexpr (target >= 90) {
      if (is_first()) {
        for (unsigned slot = 0; slot < slots; ++slot) ::cuda::ptx::mbarrier_init(arrived + slot, 1);
        ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);  // makes them visible to the TMA
      }
      __syncwarp();
    }
  }

  /// Starts a copy of `bytes` bytes, a multiple of 16, to a slot; `to` and `from` are 16-byte
  /// aligned. Requires `release` after all reads of the slot's previous contents.
  __device__ void start(unsigned slot, void* to, const void* from, std::size_t bytes) {
    if constexpr (target >= 90) {
      namespace ptx = ::cuda::ptx;
      if (!is_first()) return;
      const auto size = static_cast<std::uint32_t>(bytes);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     arrived_ + slot, size);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, size, arrived_ + slot);
    }
  }

  /// Waits for the slot's copy number `round`, counted from 0.
  __device__ void wait(unsigned slot, unsigned round) {
    if constexpr (target >= 90) {
      while (!::cuda::ptx::mbarrier_try_wait_parity(arrived_ + slot, round % 2)) continue;
    }
  }

  /// Ends the warp's reads of a slot. TMA writes are not ordered after earlier generic reads, so
  /// each lane issues a proxy fence after its reads (PTX ISA, "async proxy"). Lane 0 starts the
  /// next copy after all of these.
  __device__ void release() {
    if constexpr (target >= 90) {
      ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
      __syncwarp();
    }
  }

 private:
  __device__ static bool is_first() { return threadIdx.x % warp == 0; }

  std::uint64_t* arrived_;
};

}  // namespace ladder::cuda
