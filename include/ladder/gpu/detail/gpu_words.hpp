#pragma once

// Partials in words: four bytes each, and above them the number of the call.

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
  const auto pieces = cut(partial);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put(workspace.words + 1 + block * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// The words of a block, as they are now.
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
/// Whether they are of this call; then `pieces` is the partial.
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

/// Partials that a thread asks for at once, since each answer takes its time.
template <class A>
inline constexpr unsigned at_once = words_of<A> < 4 ? 4 / words_of<A> : 1;

/// `mine` and the thread's share of the partials of `count` blocks, `step` apart from `first` on,
/// in the same order each time. All that are under way at once are asked for before the first is
/// looked at, the last block's again where there are fewer.
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
      for (unsigned k = 0; k < at_once<A>; ++k) here &= taken(seen[k], call, pieces[k]);
    } while (!here);
#pragma unroll
    for (unsigned k = 0; k < at_once<A>; ++k) {
      if (b + k * threads < count) mine = op(mine, joined<A>(pieces[k]));
    }
  }
  return mine;
}

/// The next call has the next number: by the first wave of the block that has collected. After the
/// last number that a word has room for, the words forget: one that was left so long ago would be
/// taken for the next call's.
__device__ inline void finish(const Workspace& workspace, unsigned call) {
  if (call != ~0U) {
    if (threadIdx.x == 0) put(workspace.words, call + 1);
  } else {
    for (unsigned w = threadIdx.x; w <= workspace.count; w += wave)
      put(workspace.words + w, w == 0 ? 1 : 0);
  }
}

/// Hands the result over, of the call with this number: never 0.
template <class A>
__device__ void hand_over(A* result, const A& value, unsigned) {
  *result = value;
}
template <class A>
__device__ void hand_over(const OnHost<A>& result, const A& value, unsigned call) {
  const auto pieces = cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put_for_host(result.words + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
