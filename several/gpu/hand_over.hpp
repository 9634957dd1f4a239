#pragma once

// Hands a side's partial to the first device's memory, and waits for it there.
//
// AMD relies on LLVM's memory model of its GPUs. An access of system scope bypasses the caches
// private to one device. An access of eight aligned bytes is indivisible, so the call number and
// its payload arrive together. The words publish no other data, so they need no ordering and no
// fence, which would write back or invalidate a whole L2. The model does not promise that a device
// sees in its own L2 concurrent writes of another device to its memory. Hence the words are in
// uncached memory (`Runtime::allocate_for_others`). The result is ordinary memory: the first
// device's kernel writes it, and the end of the kernel publishes it.

#include <cstdint>

#include "common/gpu/platform.hpp"
#include "common/gpu/words.hpp"
#include "several/gpu/peers.hpp"

namespace ladder::several::LADDER_MODEL {

namespace words = ladder::LADDER_MODEL::detail;

/// Relaxed atomic load at system scope.
__device__ inline std::uint64_t get_from_any(std::uint64_t* address) {
#if defined(__HIP_PLATFORM_AMD__)
  return __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
#else
  return ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*address).load(
      ::cuda::memory_order_relaxed);
#endif
}

/// Writes `value` to words that another device or the host polls.
template <class A>
__device__ void leave(std::uint64_t* place, const Call& call, A value) {
  const auto pieces = words::cut(value);
  for (unsigned p = 0; p < words_of<A>; ++p)
    ladder::LADDER_MODEL::reduce_detail::put_for_host(
        place + p, std::uint64_t{call.number} << 32 | pieces.at[p]);
}

/// Waits for the partial of `side`; false after two seconds without it, e.g. if its kernel failed.
template <class A>
__device__ bool take(const Call& call, unsigned side, A& partial) {
  constexpr std::uint64_t limit = 2'000'000'000;
  words::Pieces<A> pieces{};
  const std::uint64_t start = Runtime::nanoseconds();
  for (unsigned p = 0; p < words_of<A>; ++p) {
    std::uint64_t* const word = words_for(call, side) + p;
    std::uint64_t seen = get_from_any(word);
    for (; seen >> 32 != call.number; seen = get_from_any(word)) {
      if (Runtime::nanoseconds() - start > limit) return false;
    }
    pieces.at[p] = static_cast<unsigned>(seen);
  }
  partial = words::joined<A>(pieces);
  return true;
}

}  // namespace ladder::several::LADDER_MODEL
