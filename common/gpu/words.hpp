#pragma once

// Mailbox: partials that carry the epoch of their call. A word of eight bytes is written and read
// in one piece, so a thread that reads the epoch has the partial too. The block that adds the
// partials needs no ticket and no order between two accesses.

#include <bit>
#include <cstdint>

#include "common/gpu/platform.hpp"
#include "common/half.hpp"
#include "common/model/queue.hpp"

namespace ladder::LADDER_MODEL {
namespace detail {

/// An accumulator in pieces of four bytes, one per word.
template <class A>
struct Pieces {
  unsigned at[words_of<A>];
};
template <class A>
LADDER_DEVICE Pieces<A> cut(A value) {
  if constexpr (sizeof(A) < 4) {
    return {{widened(value)}};
  } else {
    return std::bit_cast<Pieces<A>>(value);
  }
}
template <class A>
LADDER_DEVICE A joined(const Pieces<A>& pieces) {
  if constexpr (sizeof(A) < 4) {
    return narrowed<A>(pieces.at[0]);
  } else {
    return std::bit_cast<A>(pieces);
  }
}

/// Snapshot of the words of a block.
template <class A>
struct Seen {
  std::uint64_t at[words_of<A>];
};
template <class A>
LADDER_DEVICE Seen<A> look(const Words& words, unsigned block) {
  Seen<A> seen;
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p)
    seen.at[p] = get(words.at + 1 + block * words_of<A> + p);
  return seen;
}
/// True if the words belong to this call; `pieces` is then the partial.
template <class A>
LADDER_DEVICE bool taken(const Seen<A>& seen, unsigned call, Pieces<A>& pieces) {
  bool here = true;
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p) {
    pieces.at[p] = static_cast<unsigned>(seen.at[p]);
    here &= seen.at[p] >> 32 == call;
  }
  return here;
}

}  // namespace detail

/// The epoch of this call, never 0. Few threads should load it, since all share one word, and
/// before the input. Use it only after the input has arrived: otherwise the input waits.
LADDER_DEVICE inline unsigned number_of_call(const Words& words) {
  return static_cast<unsigned>(get(words.at));
}

/// Posts the partial of `block` for the collecting block.
template <class A>
LADDER_DEVICE void leave(const Words& words, unsigned block, A partial, unsigned call) {
  const auto pieces = detail::cut(partial);
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p)
    put(words.at + 1 + block * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// Combines `mine` with the partials of `first` and every `block`th one after it below `last`, in
/// the same order each time, each as soon as it arrives. Up to four loads are in flight to hide
/// latency: all are issued before the first is checked; surplus loads repeat block `last - 1`.
template <class Op, class A>
LADDER_DEVICE A collect(const Words& words, unsigned first, unsigned block, unsigned last,
                        unsigned call, A mine) {
  constexpr unsigned at_once = words_of<A> < 4 ? 4 / words_of<A> : 1;
  for (unsigned b = first; b < last; b += at_once * block) {
    detail::Pieces<A> pieces[at_once];
    bool here;
    do {
      detail::Seen<A> seen[at_once];
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < at_once; ++k) {
        const unsigned other = b + k * block;
        seen[k] = detail::look<A>(words, other < last ? other : last - 1);
      }
      here = true;
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < at_once; ++k) here &= detail::taken(seen[k], call, pieces[k]);
    } while (!here);
    LADDER_UNROLLED_WHOLE
    for (unsigned k = 0; k < at_once; ++k) {
      if (b + k * block < last) mine = Op{}(mine, detail::joined<A>(pieces[k]));
    }
  }
  return mine;
}

/// Ends the call by advancing the epoch. The `block` threads `tid` of the collecting block call it
/// when none of them waits any more. After the last 32-bit epoch it clears all words: a stale one
/// would otherwise match a later call.
LADDER_DEVICE inline void finish(const Words& words, unsigned call, unsigned tid, unsigned block) {
  if (call != ~0U) {
    if (tid == 0) put(words.at, std::uint64_t{call} + 1);
  } else {
    for (unsigned w = tid; w <= words.count; w += block) words.at[w] = w == 0 ? 1 : 0;
  }
}

}  // namespace ladder::LADDER_MODEL
