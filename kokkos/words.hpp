#pragma once

// Partials that carry the number of the call that they belong to. A word of eight bytes is written
// and read in one piece, so that whoever reads the number has the partial beside it too: the team
// that adds the partials waits for nothing else, no ticket and no order between two accesses.

#include <bit>
#include <cstdint>

#include <Kokkos_Core.hpp>

#include "common/half.hpp"
#include "common/model/queue.hpp"
#include "kokkos/index.hpp"

namespace ladder::kokkos {
namespace detail {

/// An accumulator in pieces of four bytes, one for each of its words.
template <class A>
struct Pieces {
  unsigned at[words_of<A>];
};
template <class A>
KOKKOS_FUNCTION Pieces<A> cut(A value) {
  if constexpr (sizeof(A) < 4) {
    return {{widened(value)}};
  } else {
    return std::bit_cast<Pieces<A>>(value);
  }
}
template <class A>
KOKKOS_FUNCTION A joined(const Pieces<A>& pieces) {
  if constexpr (sizeof(A) < 4) {
    return narrowed<A>(pieces.at[0]);
  } else {
    return std::bit_cast<A>(pieces);
  }
}

/// One access of eight bytes that is not kept in a register, which is all that is asked for here.
/// Kokkos's own atomic_load and atomic_store are updates in 5.0 (desul has one loop around a
/// compare and exchange for both), and updates of one word stand in line for it.
KOKKOS_INLINE_FUNCTION std::uint64_t get(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}
KOKKOS_INLINE_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

/// The words of a team, as they are now.
template <class A>
struct Seen {
  std::uint64_t at[words_of<A>];
};
template <class A>
KOKKOS_FUNCTION Seen<A> look(const Words& words, unsigned rank) {
  Seen<A> seen;
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p)
    seen.at[p] = get(words.at + 1 + rank * words_of<A> + p);
  return seen;
}
/// Whether they are of this call; then `pieces` is the partial.
template <class A>
KOKKOS_FUNCTION bool taken(const Seen<A>& seen, unsigned call, Pieces<A>& pieces) {
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
KOKKOS_INLINE_FUNCTION unsigned number_of_call(const Words& words) {
  return static_cast<unsigned>(detail::get(words.at));
}

/// Leaves the partial of `rank` for the team that collects.
template <class A>
KOKKOS_FUNCTION void leave(const Words& words, unsigned rank, A partial, unsigned call) {
  const auto pieces = detail::cut(partial);
  LADDER_UNROLLED_WHOLE
  for (unsigned p = 0; p < words_of<A>; ++p)
    detail::put(words.at + 1 + rank * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// Adds to `mine` the partials of `first` and of every `block`th team behind it below `last`, each
/// as soon as it is there. Up to four are under way at once, since each answer takes its time: all
/// are asked for before the first is looked at, the last team's again where there are fewer.
template <class Op, class A>
KOKKOS_FUNCTION void collect(const Words& words, unsigned first, unsigned block, unsigned last,
                             unsigned call, A& mine) {
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
}

/// Ends the call, so that the next one has the next number: by all threads of the team that
/// collects, when none of them waits any more. After the last number that a word has room for, the
/// words forget: one that was left so long ago would be taken for the next call's.
template <class Team>
KOKKOS_FUNCTION void finish(const Team& team, const Words& words, unsigned call) {
  if (call != ~0U) {
    Kokkos::single(Kokkos::PerTeam(team), [&] { detail::put(words.at, std::uint64_t{call} + 1); });
  } else {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, words.count + 1),
                         [&](unsigned w) { words.at[w] = w == 0 ? 1 : 0; });
  }
}

}  // namespace ladder::kokkos
