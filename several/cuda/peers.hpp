#pragma once

// How a side's partial comes into the first one's memory, and is waited for there.

#include <cstdint>

#include <cuda/atomic>
#include <cuda_runtime.h>

#include "common/gpu/model.hpp"
#include "common/gpu/words.hpp"
#include "several/gpu/peers.hpp"

namespace ladder::several::cuda {

using gpu::Call, gpu::words_for;
using ladder::cuda::Runtime;
using Sending = gpu::Sending<Runtime>;
using Peers = gpu::Peers<Runtime>;

/// One access that all devices and the host agree on, in no order with any other.
__device__ inline std::uint64_t get_from_any(std::uint64_t* address) {
  return ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*address).load(
      ::cuda::memory_order_relaxed);
}
__device__ inline void put_for_any(std::uint64_t* address, std::uint64_t value) {
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*address).store(
      value, ::cuda::memory_order_relaxed);
}

/// Leaves `value` in words that another one looks at, or the host.
template <class A>
__device__ void leave(std::uint64_t* words, const Call& call, A value) {
  const auto pieces = ladder::cuda::detail::cut(value);
  for (unsigned p = 0; p < words_of<A>; ++p)
    put_for_any(words + p, std::uint64_t{call.number} << 32 | pieces.at[p]);
}

/// Waits for the partial of `side`; false where it does not come within two seconds, as where its
/// kernel has failed.
template <class A>
__device__ bool take(const Call& call, unsigned side, A& partial) {
  constexpr std::uint64_t limit = 2'000'000'000;
  ladder::cuda::detail::Pieces<A> pieces{};
  const std::uint64_t start = Runtime::nanoseconds();
  for (unsigned p = 0; p < words_of<A>; ++p) {
    std::uint64_t* const word = words_for(call, side) + p;
    std::uint64_t seen = get_from_any(word);
    for (; seen >> 32 != call.number; seen = get_from_any(word)) {
      if (Runtime::nanoseconds() - start > limit) return false;
    }
    pieces.at[p] = static_cast<unsigned>(seen);
  }
  partial = ladder::cuda::detail::joined<A>(pieces);
  return true;
}

}  // namespace ladder::several::cuda
