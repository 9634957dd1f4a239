#pragma once

// Copies of kilobytes into shared memory that one thread starts and a unit of its own carries out
// (TMA, from compute capability 9.0 on), as a warp uses them for itself.

#include <cstddef>
#include <cstdint>

#include <cuda/ptx>
#include <cuda_runtime.h>

#include "common/gpu/tree.hpp"
#include "cuda/target.hpp"

namespace ladder::cuda {

/// Where a warp's copies arrive: `slots` pieces of shared memory, each with a barrier (mbarrier)
/// that counts the bytes. The copies of a slot come one after another. All lanes make the calls
/// together; lane 0 does what one thread has to do.
template <unsigned slots>
class Landing {
 public:
  /// `arrived`: the warp's `slots` barriers in shared memory, which nobody has used.
  __device__ explicit Landing(std::uint64_t* arrived) : arrived_(arrived) {
    if constexpr (target >= 90) {
      if (is_first()) {
        for (unsigned slot = 0; slot < slots; ++slot) ::cuda::ptx::mbarrier_init(arrived + slot, 1);
        ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);  // the unit is to see them so
      }
      __syncwarp();
    }
  }

  /// Starts the copy of `bytes` bytes, a multiple of 16, into the slot at `to`; both places aligned
  /// to 16. All lanes have to be done with what was there: `release`.
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

  /// Returns when the slot's copy is there: its first one in round 0, the next one in round 1.
  __device__ void wait(unsigned slot, unsigned round) {
    if constexpr (target >= 90) {
      while (!::cuda::ptx::mbarrier_try_wait_parity(arrived_ + slot, round % 2)) continue;
    }
  }

  /// The warp has read what it wants of a slot. The unit's writes are in no order with reads that
  /// lie before them in the program: each lane puts its own in front of what comes by a fence
  /// between the two (PTX ISA, "async proxy"), and lane 0 starts a copy behind all of those.
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
