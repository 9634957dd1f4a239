#pragma once

// Partials as 64-bit words: 4 payload bytes below the 32-bit number of the call.

#include <cstdint>

#include "ladder/gpu/detail/gpu_platform.hpp"
#include "ladder/gpu/workspace.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

template <class A>
inline constexpr unsigned words_of = (sizeof(A) + 3) / 4;

template <class A>
struct Pieces {
  unsigned at[words_of<A>];
};

template <class A>
__device__ Pieces<A> cut(const A& value) {
  Pieces<A> pieces{};
  __builtin_memcpy(&pieces, &value, sizeof value);
  return pieces;
}
template <class A>
__device__ A joined(const Pieces<A>& pieces) {
  Room<A> room;
  __builtin_memcpy(&room.value, &pieces, sizeof(A));
  return room.value;
}

template <class A>
__device__ void leave(const Workspace& workspace, unsigned block, const A& partial, unsigned call) {
  const auto pieces = reduce_detail::cut(partial);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put(workspace.words + 1 + block * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// Snapshot of a block's words.
template <class A>
struct Seen {
  std::uint64_t at[words_of<A>];
};
template <class A>
__device__ Seen<A> look(const Workspace& workspace, unsigned block) {
  Seen<A> seen;
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    seen.at[p] = get(workspace.words + 1 + block * words_of<A> + p);
  return seen;
}
/// True if all words belong to this call; then `pieces` is the partial.
template <class A>
__device__ bool taken(const Seen<A>& seen, unsigned call, Pieces<A>& pieces) {
  bool here = true;
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p) {
    pieces.at[p] = static_cast<unsigned>(seen.at[p]);
    here &= seen.at[p] >> 32 == call;
  }
  return here;
}

/// Partials in flight per thread, to overlap their latencies.
template <class A>
inline constexpr unsigned at_once = words_of<A> < 4 ? 4 / words_of<A> : 1;

/// Combines `mine` with the thread's share of `count` partials, `step` apart from `first` on, in a
/// fixed order. All reads in flight are issued before the first is used; surplus reads repeat the
/// last block's word.
template <unsigned threads, class A, class Op>
__device__ A collect(const Workspace& workspace, unsigned first, unsigned step, unsigned count,
                     unsigned call, A mine, Op op) {
  for (unsigned b = threadIdx.x; b < count; b += at_once<A> * threads) {
    Pieces<A> pieces[at_once<A>];
    bool here;
    do {
      Seen<A> seen[at_once<A>];
#pragma unroll
      for (unsigned k = 0; k < at_once<A>; ++k) {
        const unsigned other = b + k * threads;
        seen[k] = look<A>(workspace, first + step * (other < count ? other : count - 1));
      }
      here = true;
#pragma unroll
      for (unsigned k = 0; k < at_once<A>; ++k)
        here &= reduce_detail::taken(seen[k], call, pieces[k]);
    } while (!here);
#pragma unroll
    for (unsigned k = 0; k < at_once<A>; ++k) {
      if (b + k * threads < count) mine = op(mine, reduce_detail::joined<A>(pieces[k]));
    }
  }
  return mine;
}

/// Advances the number of the call; the first wave of the collecting block calls it. At the last
/// 32-bit number all words are cleared, because a stale word would match a reused number.
__device__ inline void finish(const Workspace& workspace, unsigned call) {
  if (call != ~0U) {
    if (threadIdx.x == 0) put(workspace.words, call + 1);
  } else {
    for (unsigned w = threadIdx.x; w <= workspace.count; w += wave)
      put(workspace.words + w, w == 0 ? 1 : 0);
  }
}

/// Stores the result of call number `call`, which is never 0.
template <class A>
__device__ void hand_over(A* result, const A& value, unsigned) {
  *result = value;
}
template <class A>
__device__ void hand_over(const OnHost<A>& result, const A& value, unsigned call) {
  const auto pieces = reduce_detail::cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put_for_host(result.words + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
