#pragma once

// Reading by bulk copies into shared memory, which one thread per block starts and a unit of its
// own carries out (NVIDIA's TMA, from compute capability 9.0 on).

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda/ptx>
#endif

namespace ladder::gpu {

constexpr unsigned most_copies = 8;  // that a block has under way

/// Reads `bytes` bytes (a multiple of 16) in pieces of `piece`, of which each block has `copies`
/// under way, at most `most_copies`. A block is one warp, and takes piece * copies bytes of dynamic
/// shared memory. What arrives there is not looked at: the copy itself is the reading.
template <class Runtime>
__global__ void read_in_bulk(const std::byte* x, std::int64_t bytes, unsigned piece,
                             unsigned copies) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  namespace ptx = cuda::ptx;
  extern __shared__ __align__(128) std::byte landing[];
  __shared__ std::uint64_t arrived[most_copies];
  if (threadIdx.x != 0) return;
  for (unsigned k = 0; k < copies; ++k) ptx::mbarrier_init(&arrived[k], 1);
  ptx::fence_proxy_async(ptx::space_shared);
  unsigned slot = 0, round = 0;  // of the next copy; a slot's copies arrive one after the other
  const auto wait = [&](unsigned which, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[which], parity)) continue;
  };
  const auto next = [&] {
    if (++slot == copies) slot = 0, ++round;
  };
  const std::int64_t stride = std::int64_t{gridDim.x} * piece;
  for (std::int64_t at = std::int64_t{blockIdx.x} * piece; at < bytes; at += stride) {
    if (round > 0) wait(slot, (round - 1) % 2);
    const auto size = static_cast<std::uint32_t>(bytes - at < piece ? bytes - at : piece);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &arrived[slot], size);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, landing + slot * piece, x + at, size,
                       &arrived[slot]);
    next();
  }
  for (unsigned k = 0; k < copies; ++k, next()) {  // the last of each slot, the oldest first
    if (round > 0) wait(slot, (round - 1) % 2);
  }
#else
  (void)x, (void)bytes, (void)piece, (void)copies;
#endif
}

}  // namespace ladder::gpu
