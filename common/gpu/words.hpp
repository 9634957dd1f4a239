#pragma once

// Partials that carry the number of the call that they belong to. A word of eight bytes is written
// and read in one piece, so that whoever reads the number has the partial beside it too: the block
// that adds the partials waits for nothing else, no ticket and no order between two accesses.

#include <bit>
#include <cstdint>

#include "common/gpu/platform.hpp"
#include "common/half.hpp"
#include "common/model/queue.hpp"

namespace ladder::LADDER_MODEL {
namespace detail {

/// An accumulator in pieces of four bytes, one for each of its words.
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

/// The words of a block, as they are now.
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
/// Whether they are of this call; then `pieces` is the partial.
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

/// The number of this call, never 0. To be asked for by few threads, since it is one word for all,
/// and before the input; nothing is to be made of it until the input is there, or that has to wait.
LADDER_DEVICE inline unsigned number_of_call(const Words& words) {
  return static_cast<unsigned>(get(words.at));
}

/// Leaves the partial of `block` for the block that collects.
template <class A>
LADDER_DEVICE void leave(const Words& words, unsigned block, A partial, unsigned call) {
  const auto pieces = detail::cut(partial);
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p)
    put(words.at + 1 + block * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// `mine` and the partials of `first` and of every `block`th one behind it below `last`, each as
/// soon as it is there, so that they meet in the same order each time. Up to four are under way at
/// once, since each answer takes its time: all are asked for before the first is looked at, the
/// last block's again where there are fewer.
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

/// Ends the call, so that the next one has the next number: by the `block` threads `tid` of the
/// block that collects, when none of them waits any more. After the last number that a word has
/// room for, the words forget: one that was left so long ago would be taken for the next call's.
LADDER_DEVICE inline void finish(const Words& words, unsigned call, unsigned tid, unsigned block) {
  if (call != ~0U) {
    if (tid == 0) put(words.at, std::uint64_t{call} + 1);
  } else {
    for (unsigned w = tid; w <= words.count; w += block) words.at[w] = w == 0 ? 1 : 0;
  }
}

}  // namespace ladder::LADDER_MODEL
