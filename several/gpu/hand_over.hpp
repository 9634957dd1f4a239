#pragma once

// How a side's partial comes into the first one's memory, and is waited for there.
//
// On AMD, by LLVM's memory model of its GPUs: an access of system scope passes by the caches that
// one device alone sees, and one of eight aligned bytes is one access, so that the number and the
// partial beside it arrive together. Nothing else is handed over by a word, so that no order with
// any other access is asked for, and no fence, which would write back or throw away a whole L2.
// What that model does not promise is that a device sees in its own L2 what another one writes to
// its memory meanwhile: hence the words are in memory that is not cached
// (`Runtime::allocate_for_others`). The result is ordinary memory: the first device's own kernel
// writes it, and the end of the kernel publishes it.

#include <cstdint>

#include "common/gpu/platform.hpp"
#include "common/gpu/words.hpp"
#include "several/gpu/peers.hpp"

namespace ladder::several::LADDER_MODEL {

namespace words = ladder::LADDER_MODEL::detail;

/// One access that all devices and the host agree on, in no order with any other.
__device__ inline std::uint64_t get_from_any(std::uint64_t* address) {
#if defined(__HIP_PLATFORM_AMD__)
  return __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
#else
  return ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(*address).load(
      ::cuda::memory_order_relaxed);
#endif
}

/// Leaves `value` in words that another one looks at, or the host.
template <class A>
__device__ void leave(std::uint64_t* place, const Call& call, A value) {
  const auto pieces = words::cut(value);
  for (unsigned p = 0; p < words_of<A>; ++p)
    ladder::LADDER_MODEL::reduce_detail::put_for_host(
        place + p, std::uint64_t{call.number} << 32 | pieces.at[p]);
}

/// Waits for the partial of `side`; false where it does not come within two seconds, as where its
/// kernel has failed.
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
